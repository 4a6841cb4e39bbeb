import type { FieldSelectorAttributes, LabelSelectorAttributes } from "@coxswain/api/authorization/v1";
import { aggregateText, quoteGo } from "@coxswain/apimachinery/field";
import {
  createRequirement,
  type FieldRequirement,
  type LabelOperator,
  type LabelRequirement,
} from "@coxswain/apimachinery/selector";
import { askedSelectors } from "../../authorization/asked-selectors.js";
import type { AskedSelector, Attributes } from "../../authorization/attributes.js";
import type { UserInfo } from "../../request/user-info.js";
import type { Question } from "./review-checks.js";

/** The question of a review, as an authorizer is asked. */
export function reviewAttributes({ resourceAttributes, nonResourceAttributes }: Question, user: UserInfo): Attributes {
  if (!resourceAttributes) {
    const { path = "", verb = "" } = nonResourceAttributes ?? {};
    return {
      user,
      verb,
      isResource: false,
      path,
      namespace: "",
      group: "",
      version: "",
      resource: "",
      subresource: "",
      name: "",
    };
  }
  const {
    namespace = "",
    verb = "",
    group = "",
    version = "",
    resource = "",
    subresource = "",
    name = "",
    fieldSelector,
    labelSelector,
  } = resourceAttributes;
  const asked = {
    user,
    verb,
    isResource: true,
    path: "",
    namespace,
    group,
    version: version || "*",
    resource,
    subresource,
    name,
  };
  if (!fieldSelector && !labelSelector) return asked;
  const fields =
    (fieldSelector?.requirements?.length ?? 0) > 0
      ? { fieldSelector: fieldsAsked(fieldSelector?.requirements ?? []) }
      : {};
  const labels =
    (labelSelector?.requirements?.length ?? 0) > 0
      ? { labelSelector: labelsAsked(labelSelector?.requirements ?? []) }
      : {};
  return {
    ...asked,
    ...askedSelectors(fieldSelector?.rawSelector ?? "", labelSelector?.rawSelector ?? ""),
    ...fields,
    ...labels,
  };
}

/** What of the selectors was not asked, beside what went wrong in asking. */
export function evaluationError(error: string | undefined, { fieldSelector, labelSelector }: Attributes): string {
  const ignored = (name: string, selector: AskedSelector<unknown> | undefined): string[] =>
    selector?.error === undefined
      ? []
      : [
          `spec.resourceAttributes.${name} ${selector.requirements.length > 0 ? "partially " : ""}ignored due to parse error`,
        ];
  return [
    ...(error === undefined ? [] : [error]),
    ...ignored("fieldSelector", fieldSelector),
    ...ignored("labelSelector", labelSelector),
  ].join("; ");
}

const labelOperators: Readonly<Record<string, LabelOperator>> = {
  In: "in",
  NotIn: "notin",
  Exists: "exists",
  DoesNotExist: "!",
};

function labelsAsked(list: NonNullable<LabelSelectorAttributes["requirements"]>): AskedSelector<LabelRequirement> {
  return collect(list, ({ key, operator, values = [] }) => {
    const known = Object.hasOwn(labelOperators, operator) ? labelOperators[operator] : undefined;
    if (!known) throw new Error(`${quoteGo(operator)} is not a valid label selector operator`);
    return createRequirement(key, known, values);
  });
}

function fieldsAsked(list: NonNullable<FieldSelectorAttributes["requirements"]>): AskedSelector<FieldRequirement> {
  return collect(list, ({ key, operator, values = [] }) => {
    if (values.length > 1) throw new Error("fieldSelectors do not yet support multiple values");
    if (operator === "Exists" || operator === "DoesNotExist")
      throw new Error(`fieldSelectors do not yet support ${operator}`);
    if (operator !== "In" && operator !== "NotIn")
      throw new Error(`${quoteGo(operator)} is not a valid field selector operator`);
    const [value] = values;
    if (value === undefined)
      throw new Error(`fieldSelectors ${operator === "In" ? "in" : "not in"} must have one value`);
    return { field: key, operator: operator === "In" ? "=" : "!=", value };
  });
}

/** Those that can be read. */
function collect<Given, Requirement>(
  list: readonly Given[],
  read: (given: Given) => Requirement,
): AskedSelector<Requirement> {
  const requirements: Requirement[] = [];
  const errors: string[] = [];
  for (const given of list) {
    try {
      requirements.push(read(given));
    } catch (err) {
      errors.push(err instanceof Error ? err.message : String(err));
    }
  }
  const error = aggregateText(errors);
  return { requirements, ...(error === undefined ? {} : { error }) };
}
