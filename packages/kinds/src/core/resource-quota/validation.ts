import type { DeepReadonly } from "@coxswain/api";
import type { ResourceQuotaSpec } from "@coxswain/api/core/v1";
import { append } from "@coxswain/apimachinery/append";
import { type FieldError, type FieldPath, fieldPath, invalid, namedText, required } from "@coxswain/apimachinery/field";
import { asGiven } from "@coxswain/apimachinery/json";
import { ownEntries, ownKeys } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { compareUtf8, immutableMessage } from "@coxswain/apimachinery/validation";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { checkQuantity } from "../../checks/quantity.js";
import { checkResourceName, isInteger } from "../../pod-spec/resources/resource-names.js";
import { isQuotaResource, scopeFits } from "./scopes.js";
import type { StoredResourceQuota } from "./stored.js";

type Spec = DeepReadonly<ResourceQuotaSpec>;
type Hard = Readonly<Record<string, string>> | undefined;

const specPath = fieldPath("spec");
const knownScopes = new Set([
  "Terminating",
  "NotTerminating",
  "BestEffort",
  "NotBestEffort",
  "PriorityClass",
  "VolumeAttributesClass",
  "CrossNamespacePodAffinity",
]);
const existingScopes = new Set([
  "BestEffort",
  "NotBestEffort",
  "Terminating",
  "NotTerminating",
  "CrossNamespacePodAffinity",
]);
const opposites = [
  ["BestEffort", "NotBestEffort"],
  ["Terminating", "NotTerminating"],
] as const;

export function checkResourceQuota({ metadata, spec }: DeepReadonly<StoredResourceQuota>): FieldError[] {
  return [...checkObjectMeta(metadata, { namespaced: true }), ...checkSpec(spec)];
}

export function checkResourceQuotaUpdate(
  next: DeepReadonly<StoredResourceQuota>,
  old: DeepReadonly<StoredResourceQuota>,
): FieldError[] {
  const errors = [...checkObjectMetaUpdate(next.metadata, old.metadata), ...checkSpec(next.spec)];
  const [scopes, before] = [new Set(next.spec.scopes), new Set(old.spec.scopes)];
  if (scopes.size !== before.size || [...scopes].some((scope) => !before.has(scope)))
    errors.push(invalid(specPath.child("scopes"), asGiven(next.spec, "scopes", []), immutableMessage));
  return errors;
}

export function checkResourceQuotaStatus(
  next: DeepReadonly<StoredResourceQuota>,
  old: DeepReadonly<StoredResourceQuota>,
): FieldError[] {
  const errors = checkObjectMetaUpdate(next.metadata, old.metadata);
  if (!next.metadata.resourceVersion) errors.push(required(fieldPath("resourceVersion")));
  return [
    ...errors,
    ...checkAmounts(next.status.hard, fieldPath("status", "hard")),
    ...checkAmounts(next.status.used, fieldPath("status", "used")),
  ];
}

function checkSpec(spec: Spec): FieldError[] {
  return [...checkAmounts(spec.hard, specPath.child("hard")), ...checkScopes(spec), ...checkScopeSelector(spec)];
}

function checkAmounts(amounts: Hard, path: FieldPath): FieldError[] {
  return ownEntries(amounts).flatMap(([name, text]) => {
    const at = path.key(name);
    const errors = checkResourceName(name, at);
    if (!name.includes("/") && !isQuotaResource(name))
      errors.push(invalid(at, namedText(name), "must be a standard resource for quota"));
    const amount = parseQuantity(text);
    append(errors, checkQuantity(amount, at));
    if (isInteger(name) && BigInt(amount.milliValue()) % 1000n !== 0n)
      errors.push(invalid(at, amount, "must be an integer"));
    return errors;
  });
}

/** Resources that the scope does not know. */
const misfits = (scope: string, hard: Hard): number =>
  ownKeys(hard)
    .sort(compareUtf8)
    .filter((name) => isQuotaResource(name) && !scopeFits(scope, name)).length;

function checkScopes({ scopes = [], hard }: Spec): FieldError[] {
  const path = specPath.child("scopes");
  const errors: FieldError[] = [];
  for (const scope of scopes) {
    if (!knownScopes.has(scope)) errors.push(invalid(path, scopes, "unsupported scope"));
    for (let left = misfits(scope, hard); left > 0; left--)
      errors.push(invalid(path, scopes, "unsupported scope applied to resource"));
  }
  for (const [one, other] of opposites)
    if (scopes.includes(one) && scopes.includes(other)) errors.push(invalid(path, scopes, "conflicting scopes"));
  return errors;
}

function checkScopeSelector({ scopes, scopeSelector, hard }: Spec): FieldError[] {
  if (!scopeSelector) return [];
  const path = specPath.child("scopeSelector", "matchExpressions");
  const expressions = scopeSelector.matchExpressions ?? [];
  const errors: FieldError[] = [];
  for (const { scopeName, operator, values = [] } of expressions) {
    if (!knownScopes.has(scopeName))
      errors.push(invalid(path.child("scopeName"), namedText(scopeName), "unsupported scope"));
    for (let left = misfits(scopeName, hard); left > 0; left--)
      errors.push(invalid(path, printedSelector(scopeSelector), "unsupported scope applied to resource"));
    if (existingScopes.has(scopeName) && operator !== "Exists") {
      const why =
        "must be 'Exists' when scope is any of ResourceQuotaScopeTerminating, ResourceQuotaScopeNotTerminating, ResourceQuotaScopeBestEffort, ResourceQuotaScopeNotBestEffort or ResourceQuotaScopeCrossNamespacePodAffinity";
      errors.push(invalid(path.child("operator"), namedText(operator), why));
    }
    append(errors, checkOperator(operator, values, path));
  }
  const names = new Set<string>(expressions.map(({ scopeName }) => scopeName));
  for (const [one, other] of opposites)
    if (names.has(one) && names.has(other)) errors.push(invalid(path, scopes, "conflicting scopes"));
  return errors;
}

function checkOperator(operator: string, values: readonly string[], path: FieldPath): FieldError[] {
  switch (operator) {
    case "In":
    case "NotIn":
      return values.length > 0
        ? []
        : [
            required(
              path.child("values"),
              "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
            ),
          ];
    case "Exists":
    case "DoesNotExist":
      return values.length === 0
        ? []
        : [
            invalid(
              path.child("values"),
              values,
              "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector",
            ),
          ];
    default:
      return [invalid(path.child("operator"), namedText(operator), "not a valid selector operator")];
  }
}

/** As Go prints its own form of the selector. */
const printedSelector = (selector: NonNullable<Spec["scopeSelector"]>): unknown => ({
  MatchExpressions: (selector.matchExpressions ?? []).map((one) => ({
    ScopeName: one.scopeName,
    Operator: one.operator,
    Values: asGiven(one, "values", []),
  })),
});
