import type { DeepReadonly } from "@coxswain/api";
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef } from "@coxswain/api/rbac/v1";
import { notFound, type StatusError } from "@coxswain/apimachinery/status";
import type { Lister } from "../../cache/lister.js";
import type { UserInfo } from "../../request/user-info.js";
import { type HeldBinding, heldBindings, roleKey } from "./held-bindings.js";
import { describeSubject } from "./subject.js";

export interface RbacListers {
  readonly roles: Lister<Role>;
  readonly roleBindings: Lister<RoleBinding>;
  readonly clusterRoles: Lister<ClusterRole>;
  readonly clusterRoleBindings: Lister<ClusterRoleBinding>;
}

/** One rule that a user has; or a binding that leads nowhere. */
export type HeldRule = { readonly rule: DeepReadonly<PolicyRule> } | { readonly missing: DeepReadonly<RoleRef> };

type Rules = readonly DeepReadonly<PolicyRule>[];

const group = "rbac.authorization.k8s.io";

/** The bindings a user has in a namespace ("": cluster-wide only), cluster-wide ones first, in order of their names. */
export function bindingsFor(listers: RbacListers, user: UserInfo, namespace: string): readonly HeldBinding[] {
  const wide = heldBindings(listers.clusterRoleBindings, "", user);
  if (namespace === "") return wide;
  const local = heldBindings(listers.roleBindings, namespace, user);
  return local.length === 0 ? wide : [...wide, ...local];
}

/** The rules a user holds in a namespace ("": cluster-wide only), in the order of the bindings. */
export function* rulesFor(listers: RbacListers, user: UserInfo, namespace: string): Generator<HeldRule, void> {
  for (const held of bindingsFor(listers, user, namespace)) {
    const rules = rulesOfBinding(listers, held);
    if (rules) for (const rule of rules) yield { rule };
    else yield { missing: held.binding.roleRef };
  }
}

/** `resource`: what it is called there; inside a write upstream calls it by the resource that is written. @default the role's kind */
export const missingRole = (
  { kind, name }: DeepReadonly<RoleRef>,
  resource: string = kind.toLowerCase(),
): StatusError => notFound({ group, resource }, name);

/** Undefined: there is no such role. */
export const rulesOfRole = (
  listers: RbacListers,
  roleRef: DeepReadonly<RoleRef>,
  namespace: string,
): Rules | undefined => rulesAt(listers, roleRef.kind, roleKey(roleRef, namespace));

/** The same of the role that a binding leads to. */
export const rulesOfBinding = (listers: RbacListers, { binding, roleKey: key }: HeldBinding): Rules | undefined =>
  rulesAt(listers, binding.roleRef.kind, key);

function rulesAt({ roles, clusterRoles }: RbacListers, kind: string, key: string): Rules | undefined {
  const role = (kind === "Role" ? roles : clusterRoles).get(key);
  return role && (role.rules ?? []);
}

/** How a user came by a rule. */
export function describeBinding({ binding: { metadata, roleRef }, subject, namespace }: HeldBinding): string {
  const name = metadata?.name ?? "";
  const [kind, shown] = namespace === "" ? ["ClusterRoleBinding", name] : ["RoleBinding", `${name}/${namespace}`];
  return `${kind} ${JSON.stringify(shown)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${describeSubject(subject, namespace)}`;
}
