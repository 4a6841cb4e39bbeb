import type { DeepReadonly } from "@coxswain/api";
import { type FieldError, fieldPath, invalid, required } from "@coxswain/apimachinery/field";
import { validateLabelSelector } from "@coxswain/apimachinery/validation";
import { checkObjectMeta, checkObjectMetaUpdate } from "../../checks/object-meta.js";
import { readSelector } from "../../workload/template.js";
import { checkRbacName } from "../name.js";
import { checkPolicyRules } from "../policy-rules.js";
import type { StoredClusterRole } from "./stored.js";

type ReadRole = DeepReadonly<StoredClusterRole>;

export const checkClusterRole = (role: ReadRole, allowInvalidValues = false): FieldError[] => [
  ...checkObjectMeta(role.metadata, { namespaced: false, checkName: checkRbacName }),
  ...checkPolicyRules(role.rules, false),
  ...checkAggregation(role, allowInvalidValues),
];

export function checkClusterRoleUpdate(next: ReadRole, old: ReadRole): FieldError[] {
  const wasInvalid = (old.aggregationRule?.clusterRoleSelectors ?? []).some(
    (selector) => validateLabelSelector(selector, undefined).length > 0,
  );
  return [...checkClusterRole(next, wasInvalid), ...checkObjectMetaUpdate(next.metadata, old.metadata)];
}

function checkAggregation({ aggregationRule }: ReadRole, allowInvalidValues: boolean): FieldError[] {
  if (!aggregationRule) return [];
  const path = fieldPath("aggregationRule", "clusterRoleSelectors");
  const selectors = aggregationRule.clusterRoleSelectors ?? [];
  if (selectors.length === 0)
    return [required(path, "at least one clusterRoleSelector required if aggregationRule is non-nil")];
  return selectors.flatMap((selector, at) => [
    ...validateLabelSelector(selector, path.index(at), { allowInvalidValues }),
    ...(readSelector(selector) ? [] : [invalid(path.index(at), null, "invalid label selector.")]),
  ]);
}
