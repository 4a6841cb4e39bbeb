import type { SubjectAccessReviewSpec } from "@coxswain/api/authorization/v1";
import type { FieldRequirement, LabelRequirement } from "@coxswain/apimachinery/selector";
import type { Attributes } from "../attributes.js";

/** The question as a webhook is asked. What could not be read of a selector is left out: it could only narrow the question. */
export function reviewSpec({
  user,
  isResource,
  path,
  verb,
  namespace,
  group,
  version,
  resource,
  subresource,
  name,
  fieldSelector,
  labelSelector,
}: Attributes): SubjectAccessReviewSpec {
  const who = {
    ...present({ user: user.name }),
    ...(user.groups.length > 0 && { groups: [...user.groups] }),
    ...(user.extra && Object.keys(user.extra).length > 0 && { extra: user.extra as Record<string, string[]> }),
    ...present({ uid: user.uid ?? "" }),
  };
  if (!isResource) return { nonResourceAttributes: present({ path, verb }), ...who };
  const fields = fieldSelector?.requirements ?? [];
  const labels = labelSelector?.requirements ?? [];
  return {
    resourceAttributes: {
      ...present({ namespace, verb, group, version, resource, subresource, name }),
      ...(fields.length > 0 && { fieldSelector: { requirements: fields.map(fieldRequirement) } }),
      ...(labels.length > 0 && { labelSelector: { requirements: labels.flatMap(labelRequirement) } }),
    },
    ...who,
  };
}

const present = (members: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== ""));

const fieldRequirement = ({ field, operator, value }: FieldRequirement) => ({
  key: field,
  operator: operator === "=" ? "In" : "NotIn",
  values: [value],
});

const operators: Readonly<Record<string, string>> = {
  "=": "In",
  "==": "In",
  in: "In",
  "!=": "NotIn",
  notin: "NotIn",
  exists: "Exists",
  "!": "DoesNotExist",
};

/** Comparisons of numbers have no form there. */
function labelRequirement({ key, operator, values }: LabelRequirement) {
  const known = operators[operator];
  return known === undefined ? [] : [{ key, operator: known, ...(values.length > 0 && { values: [...values] }) }];
}
