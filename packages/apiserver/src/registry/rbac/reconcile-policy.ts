import type { DeepReadonly } from "@coxswain/api";
import type {
  AggregationRule,
  ClusterRole,
  ClusterRoleBinding,
  PolicyRule,
  Role,
  RoleBinding,
  Subject,
} from "@coxswain/api/rbac/v1";
import { cloneJson, equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { getOwn, setOwn } from "@coxswain/apimachinery/own";
import { uncoveredRules } from "../../authorization/rbac/covers.js";

type AnyRole = DeepReadonly<Role | ClusterRole> & KubernetesObject;
type AnyBinding = DeepReadonly<RoleBinding | ClusterRoleBinding> & KubernetesObject;

export type ReconcilePlan =
  | { readonly do: "nothing" }
  | { readonly do: "update"; readonly object: KubernetesObject }
  | { readonly do: "recreate" };

/** Users set it to "false" to keep an object of the policy as it is. */
const autoUpdate = "rbac.authorization.kubernetes.io/autoupdate";

const nothing: ReconcilePlan = { do: "nothing" };

/**
 * What a role or binding of the policy lacks is added at every start; what was added to it by others stays. A binding to another role
 * than the policy's is made anew.
 */
export function planReconcile(existing: KubernetesObject, expected: KubernetesObject): ReconcilePlan {
  if (getOwn(existing.metadata.annotations, autoUpdate) === "false") return nothing;
  return expected.kind?.endsWith("Binding")
    ? planBinding(existing as AnyBinding, expected as AnyBinding)
    : planRole(existing as AnyRole, expected as AnyRole);
}

function planRole(existing: AnyRole, expected: AnyRole): ReconcilePlan {
  const next = withMarks(existing, expected) as AnyRole & {
    rules?: DeepReadonly<PolicyRule>[];
    aggregationRule?: AggregationRule;
  };
  const { rules: missing } = uncoveredRules(existing.rules ?? [], expected.rules ?? []);
  if (missing.length > 0) next.rules = [...(existing.rules ?? []), ...missing];
  const [had, wanted] = [selectorsOf(existing), selectorsOf(expected)];
  const selectors = (wanted ?? []).filter((each) => !had?.some((other) => equalJson(other, each)));
  if (!wanted && had) delete next.aggregationRule;
  else if (selectors.length > 0)
    next.aggregationRule = cloneJson({ clusterRoleSelectors: [...(had ?? []), ...selectors] }) as AggregationRule;
  return changed(existing, next);
}

/** Undefined: the role gathers nothing. */
const selectorsOf = (role: AnyRole) =>
  "aggregationRule" in role && role.aggregationRule ? (role.aggregationRule.clusterRoleSelectors ?? []) : undefined;

function planBinding(existing: AnyBinding, expected: AnyBinding): ReconcilePlan {
  if (!equalJson(existing.roleRef, expected.roleRef)) return { do: "recreate" };
  const next = withMarks(existing, expected) as AnyBinding & { subjects?: DeepReadonly<Subject>[] };
  const missing = (expected.subjects ?? []).filter(
    (subject) => !existing.subjects?.some((other) => equalJson(other, subject)),
  );
  if (missing.length > 0) next.subjects = [...(existing.subjects ?? []), ...missing];
  return changed(existing, next);
}

const changed = (existing: KubernetesObject, next: KubernetesObject): ReconcilePlan =>
  equalJson(existing, next) ? nothing : { do: "update", object: next };

/** The policy's labels and annotations are added; values that others set stay. */
function withMarks(existing: KubernetesObject, expected: KubernetesObject): KubernetesObject {
  const metadata = { ...existing.metadata };
  for (const member of ["labels", "annotations"] as const) {
    const marks: Record<string, string> = {};
    for (const map of [expected.metadata[member], existing.metadata[member]])
      for (const key of Object.keys(map ?? {})) setOwn(marks, key, getOwn(map, key) ?? "");
    if (Object.keys(marks).length > 0) metadata[member] = marks;
  }
  return { ...existing, metadata };
}
