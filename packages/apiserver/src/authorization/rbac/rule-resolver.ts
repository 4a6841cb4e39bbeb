import type { DeepReadonly } from "@coxswain/api";
import type { ClusterRole, ClusterRoleBinding, PolicyRule, Role, RoleBinding, RoleRef, Subject } from "@coxswain/api/rbac/v1";
import { notFound, type StatusError } from "@coxswain/apimachinery/status";
import type { Lister } from "../../cache/lister.js";
import type { UserInfo } from "../../server/user-info.js";
import { describeSubject, subjectApplies } from "./subject.js";

export interface RbacListers {
  readonly roles: Lister<Role>;
  readonly roleBindings: Lister<RoleBinding>;
  readonly clusterRoles: Lister<ClusterRole>;
  readonly clusterRoleBindings: Lister<ClusterRoleBinding>;
}

/** One rule that a user has, and where it comes from; or a binding that leads nowhere. */
export type HeldRule = { readonly rule: DeepReadonly<PolicyRule>; source(): string } | { readonly missing: DeepReadonly<RoleRef> };

type Binding = DeepReadonly<ClusterRoleBinding | RoleBinding>;

const group = "rbac.authorization.k8s.io";

/** The rules a user holds in a namespace ("": cluster-wide only), cluster-wide ones first, bindings in order of their names. */
export function* rulesFor(listers: RbacListers, user: UserInfo, namespace: string): Generator<HeldRule, void> {
  for (const binding of listers.clusterRoleBindings.list("/registry/clusterrolebindings/")) yield* rulesOfBinding(listers, binding, user, "");
  if (namespace === "") return;
  for (const binding of listers.roleBindings.list(`/registry/rolebindings/${namespace}/`)) yield* rulesOfBinding(listers, binding, user, namespace);
}

function* rulesOfBinding(listers: RbacListers, binding: Binding, user: UserInfo, namespace: string): Generator<HeldRule, void> {
  const subject = binding.subjects?.find((each) => subjectApplies(each, user, namespace));
  if (!subject) return;
  const rules = rulesOfRole(listers, binding.roleRef, namespace);
  if (!rules) {
    yield { missing: binding.roleRef };
    return;
  }
  for (const rule of rules) yield { rule, source: () => describe(binding, subject, namespace) };
}

/** `resource`: what it is called there; inside a write upstream calls it by the resource that is written. @default the role's kind */
export const missingRole = ({ kind, name }: DeepReadonly<RoleRef>, resource: string = kind.toLowerCase()): StatusError => notFound({ group, resource }, name);

/** Undefined: there is no such role. */
export function rulesOfRole(listers: RbacListers, { kind, name }: DeepReadonly<RoleRef>, namespace: string): readonly DeepReadonly<PolicyRule>[] | undefined {
  const role = kind === "Role" ? listers.roles.get(`/registry/roles/${namespace}/${name}`) : listers.clusterRoles.get(`/registry/clusterroles/${name}`);
  return role && (role.rules ?? []);
}

function describe({ metadata, roleRef }: Binding, subject: DeepReadonly<Subject>, namespace: string): string {
  const name = metadata?.name ?? "";
  const [kind, shown] = namespace === "" ? ["ClusterRoleBinding", name] : ["RoleBinding", `${name}/${namespace}`];
  return `${kind} ${JSON.stringify(shown)} of ${roleRef.kind} ${JSON.stringify(roleRef.name)} to ${describeSubject(subject, namespace)}`;
}
