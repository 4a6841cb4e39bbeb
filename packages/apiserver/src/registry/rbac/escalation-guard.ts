import type { DeepReadonly } from "@coxswain/api";
import type { ClusterRole, PolicyRule, RoleBinding, RoleRef } from "@coxswain/api/rbac/v1";
import { aggregateText, quoteGo } from "@coxswain/apimachinery/field";
import { equalJson } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { badRequest, forbidden, StatusError } from "@coxswain/apimachinery/status";
import type { Authorizer } from "../../authorization/attributes.js";
import { uncoveredRules } from "../../authorization/rbac/covers.js";
import { describeRules, quoteList } from "../../authorization/rbac/describe-rules.js";
import { missingRole, type RbacListers, rulesFor, rulesOfRole } from "../../authorization/rbac/rule-resolver.js";
import type { WriteAuthorization } from "../../objects/write-authorization.js";
import type { WriteScope } from "../../objects/write-scope.js";

const group = "rbac.authorization.k8s.io";
const everything: readonly PolicyRule[] = [
  { verbs: ["*"], apiGroups: ["*"], resources: ["*"] },
  { verbs: ["*"], nonResourceURLs: ["*"] },
];

export interface EscalationDeps {
  readonly authorizer: Authorizer;
  readonly listers: RbacListers;
}

/**
 * Nobody grants what they do not have. A role may be written by who holds all of its rules or may `escalate` it, a binding by who holds
 * all rules of its role or may `bind` it. As upstream in pkg/registry/rbac/{role,rolebinding,…}/policybased/storage.go.
 */
export function createEscalationGuard(
  resource: "roles" | "clusterroles" | "rolebindings" | "clusterrolebindings",
  deps: EscalationDeps,
): WriteAuthorization {
  const check = resource.endsWith("roles") ? checkRole : checkBinding;
  return {
    async authorizeWrite({ object, old, scope }) {
      if (scope.user.groups.includes("system:masters") || (old && onlyGarbageFields(object, old))) return;
      await check(deps, resource, object, old, scope);
    },
  };
}

async function checkRole(
  deps: EscalationDeps,
  resource: string,
  object: KubernetesObject,
  old: KubernetesObject | undefined,
  scope: WriteScope,
): Promise<void> {
  if (await mayDo(deps.authorizer, scope, { verb: "escalate", resource, name: scope.name })) return;
  const role = object as DeepReadonly<ClusterRole> & KubernetesObject;
  checkHeld(deps, resource, object, role.rules ?? [], scope);
  if (!aggregates(object) && !(old && aggregates(old))) return;
  const { rules: missing, truncated } = uncoveredRules(heldBy(deps, resource, scope).rules, everything);
  if (missing.length > 0 || truncated)
    throw forbidden(
      { group, resource },
      object.metadata.name ?? "",
      "must have cluster-admin privileges to use the aggregationRule",
    );
}

async function checkBinding(
  deps: EscalationDeps,
  resource: string,
  object: KubernetesObject,
  _old: KubernetesObject | undefined,
  scope: WriteScope,
): Promise<void> {
  const { roleRef } = object as RoleBinding & KubernetesObject;
  const known = roleRef.kind === "ClusterRole" || roleRef.kind === "Role";
  const roles = roleRef.kind === "Role" ? "roles" : "clusterroles";
  if (
    known &&
    (await mayDo(deps.authorizer, scope, {
      verb: "bind",
      group: roleRef.apiGroup ?? "",
      resource: roles,
      name: roleRef.name,
    }))
  )
    return;
  checkHeld(deps, resource, object, rulesToBind(deps.listers, resource, roleRef, scope.namespace), scope);
}

function rulesToBind(
  listers: RbacListers,
  resource: string,
  roleRef: RoleRef,
  namespace: string,
): readonly DeepReadonly<PolicyRule>[] {
  const { kind } = roleRef;
  if (kind !== "Role" && kind !== "ClusterRole")
    throw new StatusError({ code: 500, reason: "", message: `unsupported role reference kind: ${quoteGo(kind)}` });
  if (kind === "Role" && namespace === "") throw badRequest("Namespace parameter required.");
  const rules = rulesOfRole(listers, roleRef, namespace);
  if (!rules) throw missingRole(roleRef, resource);
  return rules;
}

async function mayDo(
  authorizer: Authorizer,
  { user, namespace }: WriteScope,
  asked: { verb: string; group?: string; resource: string; name: string },
): Promise<boolean> {
  const { decision } = await authorizer({
    group,
    ...asked,
    user,
    namespace,
    version: "*",
    isResource: true,
    path: "",
    subresource: "",
  });
  return decision === "allow";
}

function checkHeld(
  deps: EscalationDeps,
  resource: string,
  object: KubernetesObject,
  wanted: readonly DeepReadonly<PolicyRule>[],
  scope: WriteScope,
): void {
  const { rules, errors } = heldBy(deps, resource, scope);
  const { rules: missing, truncated } = uncoveredRules(rules, wanted);
  if (missing.length === 0 && !truncated) return;
  const { name, groups } = scope.user;
  const unresolved = errors.length === 0 ? "" : `; resolution errors: [${aggregateText(errors) ?? ""}]`;
  const lines = [
    ...describeRules(missing),
    ...(truncated ? ["and more: there are too many combinations to compare"] : []),
  ];
  const message = `user ${quoteGo(name)} (groups=${quoteList(groups)}) is attempting to grant RBAC permissions not currently held:\n${lines.join("\n")}${unresolved}`;
  throw forbidden({ group, resource }, object.metadata.name ?? "", message);
}

function heldBy(
  { listers }: EscalationDeps,
  resource: string,
  { user, namespace }: WriteScope,
): { rules: DeepReadonly<PolicyRule>[]; errors: string[] } {
  const rules: DeepReadonly<PolicyRule>[] = [];
  const errors: string[] = [];
  for (const held of rulesFor(listers, user, namespace)) {
    if ("missing" in held) errors.push(missingRole(held.missing, resource).message);
    else rules.push(held.rule);
  }
  return { rules, errors };
}

const aggregates = (object: KubernetesObject): boolean =>
  ((object as DeepReadonly<ClusterRole> & KubernetesObject).aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;

/** The garbage collector finishes deletions of what it could not write itself. */
function onlyGarbageFields(object: KubernetesObject, old: KubernetesObject): boolean {
  const bare = ({
    metadata: {
      ownerReferences: _owners,
      finalizers: _finalizers,
      selfLink: _link,
      managedFields: _fields,
      ...metadata
    },
    ...rest
  }: KubernetesObject) => ({ ...rest, metadata });
  return equalJson(bare(object), bare(old));
}
