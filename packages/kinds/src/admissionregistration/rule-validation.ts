import type { DeepReadonly } from "@coxswain/api";
import type { NamedRuleWithOperations, RuleWithOperations } from "@coxswain/api/admissionregistration/v1";
import { duplicate, type FieldError, type FieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { checkPathSegmentName } from "@coxswain/apimachinery/validation";
import { checkOneOf, problemsAt } from "../checks/field-errors.js";
import { repeatedPositions } from "../checks/repeated-positions.js";

type Operations = RuleWithOperations["operations"];

export function checkNamedRule(rule: DeepReadonly<NamedRuleWithOperations>, path: FieldPath): FieldError[] {
  const names = rule.resourceNames ?? [];
  const repeated = repeatedPositions(names);
  const errors = names.flatMap((name, at) => {
    const here = path.child("resourceNames").index(at);
    return [
      ...problemsAt(here, name, checkPathSegmentName(name)),
      ...(repeated.has(at) ? [duplicate(here, name)] : []),
    ];
  });
  return [...errors, ...checkRule(rule, path)];
}

export function checkRule(
  { operations = [], apiGroups = [], apiVersions = [], resources = [], scope }: DeepReadonly<RuleWithOperations>,
  path: FieldPath,
): FieldError[] {
  const versionsPath = path.child("apiVersions");
  return [
    ...checkWildcard(operations, path.child("operations"), "operations"),
    ...operations.flatMap((operation, at) =>
      checkOneOf(operation, ["*", "CONNECT", "CREATE", "DELETE", "UPDATE"], path.child("operations").index(at)),
    ),
    ...checkWildcard(apiGroups, path.child("apiGroups"), "API groups"),
    ...checkWildcard(apiVersions, versionsPath, "API versions"),
    ...apiVersions.flatMap((version, at) => (version === "" ? [required(versionsPath.index(at))] : [])),
    ...checkResources(resources, path.child("resources")),
    ...(scope === undefined ? [] : checkOneOf(scope, ["*", "Cluster", "Namespaced"], path.child("scope"))),
  ];
}

function checkWildcard(list: readonly string[], path: FieldPath, what: string): FieldError[] {
  if (list.length === 0) return [required(path)];
  return list.length > 1 && list.includes("*")
    ? [invalid(path, list, `if '*' is present, must not specify other ${what}`)]
    : [];
}

/** What a wildcard covers already may not be named behind it. */
function checkResources(resources: readonly string[], path: FieldPath): FieldError[] {
  if (resources.length === 0) return [required(path)];
  const errors: FieldError[] = [];
  const wholes = new Set<string>();
  const everywhere = new Set<string>();
  let lastPlainIsNamed = false;
  for (const [at, text] of resources.entries()) {
    const here = path.index(at);
    if (text === "") {
      errors.push(required(here));
      continue;
    }
    const slash = text.indexOf("/");
    if (slash < 0) {
      lastPlainIsNamed = text !== "*";
      continue;
    }
    const [resource, sub] = [text.slice(0, slash), text.slice(slash + 1)];
    if (wholes.has(resource))
      errors.push(invalid(here, text, `if '${resource}/*' is present, must not specify ${text}`));
    if (everywhere.has(sub)) errors.push(invalid(here, text, `if '*/${sub}' is present, must not specify ${text}`));
    if (sub === "*") wholes.add(resource);
    if (resource === "*") everywhere.add(sub);
  }
  if (resources.length > 1 && resources.includes("*/*"))
    errors.push(invalid(path, resources, "if '*/*' is present, must not specify other resources"));
  if (resources.includes("*") && lastPlainIsNamed)
    errors.push(invalid(path, resources, "if '*' is present, must not specify other resources without subresources"));
  return errors;
}

/** What is deleted cannot be changed. */
export const checkMutatingRules = (
  rules: readonly { readonly operations?: DeepReadonly<Operations> }[],
  path: FieldPath,
): FieldError[] =>
  rules.flatMap(({ operations = [] }) =>
    operations.flatMap((operation) =>
      checkOneOf(operation, ["*", "CONNECT", "CREATE", "UPDATE"], path.child("operations")),
    ),
  );
