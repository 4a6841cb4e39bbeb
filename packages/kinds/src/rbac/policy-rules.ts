import type { DeepReadonly } from "@coxswain/api";
import type { PolicyRule } from "@coxswain/api/rbac/v1";
import { type FieldError, type FieldPath, fieldPath, invalid, required } from "@coxswain/apimachinery/field";

type Rule = DeepReadonly<PolicyRule>;

/** A rule is about resources or about paths, never both; in a namespace there are no paths. */
export const checkPolicyRules = (rules: readonly Rule[] | null | undefined, namespaced: boolean): FieldError[] =>
  (rules ?? []).flatMap((rule, at) => checkPolicyRule(rule, namespaced, fieldPath("rules").index(at)));

function checkPolicyRule(
  { verbs, apiGroups = [], resources = [], resourceNames = [], nonResourceURLs = [] }: Rule,
  namespaced: boolean,
  path: FieldPath,
): FieldError[] {
  const errors =
    (verbs ?? []).length === 0 ? [required(path.child("verbs"), "verbs must contain at least one value")] : [];
  if (nonResourceURLs.length > 0) {
    const at = path.child("nonResourceURLs");
    if (namespaced) errors.push(invalid(at, nonResourceURLs, "namespaced rules cannot apply to non-resource URLs"));
    const hasResources = apiGroups.length > 0 || resources.length > 0 || resourceNames.length > 0;
    if (hasResources)
      errors.push(invalid(at, nonResourceURLs, "rules cannot apply to both regular resources and non-resource URLs"));
    return errors;
  }
  if (apiGroups.length === 0)
    errors.push(required(path.child("apiGroups"), "resource rules must supply at least one api group"));
  if (resources.length === 0)
    errors.push(required(path.child("resources"), "resource rules must supply at least one resource"));
  return errors;
}
