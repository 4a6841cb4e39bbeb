import type { DeepReadonly } from "@coxswain/api";
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef } from "@coxswain/api/rbac/v1";
import { notFound, type StatusError } from "@coxswain/apimachinery/status";
import type { Lister } from "../../cache/lister.js";
import type { UserInfo } from "../../server/user-info.js";
import { type HeldBinding, heldBindings } from "./held-bindings.js";
import { describeSubject } from "./subject.js";

export interface RbacListers {
  readonly roles: Lister<Role>;
  readonly roleBindings: Lister<RoleBinding>;
  readonly clusterRoles: Lister<ClusterRole>;
  readonly clusterRoleBindings: Lister<ClusterRoleBinding>;
}

/** One rule that a user has; or a binding that leads nowhere. */
export type HeldRule = { readonly rule: DeepReadonly<PolicyRule> } | { readonly missing: DeepReadonly<RoleRef> };

const group = "rbac.authorization.k8s.io";

/** The bindings a user has in a namespace ("": cluster-wide only), cluster-wide ones first, in order of their names. */
export function bindingsFor(listers: RbacListers, user: UserInfo, namespace: string): readonly HeldBinding[] {
  const wide = heldBindings(listers.clusterRoleBindings, "/registry/clusterrolebindings/", "", user);
  if (namespace === "") return wide;
  const local = heldBindings(listers.roleBindings, `/registry/rolebindings/${namespace}/`, namespace, user);
  return local.length === 0 ? wide : [...wide, ...local];
}

/** The rules a user holds in a namespace ("": cluster-wide only), in the order of the bindings. */
export function* rulesFor(listers: RbacListers, user: UserInfo, namespace: string): Generator<HeldRule, void> {
  for (const held of bindingsFor(listers, user, namespace)) {
    const rules = rulesOfRole(listers, held.binding.roleRef, held.namespace);
    if (rules) for (const rule of rules) yield { rule };
    else yield { missing: held.binding.roleRef };
  }
}

/** `resource`: what it is called there; inside a write upstream calls it by the resource that is written. @default the role's kind */
export const missingRole = ({ kind, name }: DeepReadonly<RoleRef>, resource: string = kind.toLowerCase()): StatusError => notFound({ group, resource }, name);

/** Undefined: there is no such role. */
export function rulesOfRole(listers: RbacListers, { kind, name }: DeepReadonly<RoleRef>, namespace: string): readonly DeepReadonly<PolicyRule>[] | undefined {
  const role = kind === "Role" ? listers.roles.get(`/registry/roles/${namespace}/${name}`) : listers.clusterRoles.get(`/registry/clusterroles/${name}`);
  return role && (role.rules ?? []);
}

/** How a user came by a rule. */
export function describeBinding({ binding: { metadata, roleRef }, subject, namespace }: HeldBinding): string {
  const name = metadata?.name ?? "";
  const [kind, shown] = namespace === "" ? ["ClusterRoleBinding", name] : ["RoleBinding", `${name}/${namespace}`];
  return `${kind} ${JSON.stringify(shown)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${describeSubject(subject, namespace)}`;
}
