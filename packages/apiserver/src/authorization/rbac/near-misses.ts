import type { DeepReadonly } from "@coxswain/api";
import type { PolicyRule, Subject } from "@coxswain/api/rbac/v1";
import type { UserInfo } from "../../request/user-info.js";
import type { Attributes } from "../attributes.js";
import { type Binding, isSubject } from "./held-bindings.js";
import { ruleAllows } from "./rule.js";
import { type RbacListers, rulesOfRole } from "./rule-resolver.js";
import { describeSubject } from "./subject.js";

/** A binding that would allow what is asked for, but for one thing. */
export interface NearMiss {
  readonly binding: {
    readonly kind: "RoleBinding" | "ClusterRoleBinding";
    readonly namespace?: string;
    readonly name: string;
  };
  readonly role: { readonly kind: string; readonly name: string };
  readonly lacks: "rule" | "role" | "namespace" | "subject";
  /** What makes the request allowed when it is added: nothing else has to change. */
  readonly add: Addition;
  readonly text: string;
}

export interface Addition {
  /** To the role of the binding; where that does not exist, it has to be made with it. */
  readonly rule?: DeepReadonly<PolicyRule>;
  /** To the subjects of the binding. */
  readonly subject?: Subject;
  /** Another binding of the same subjects: in a namespace, or ("") cluster-wide. */
  readonly bindingIn?: string;
  /** A copy of the role, in the namespace of that binding. */
  readonly roleIn?: string;
}

/** Bindings that are looked at: the question is rare, but its answer must come. */
const mostBindings = 20_000;
const mostAnswers = 50;
const order: readonly NearMiss["lacks"][] = ["rule", "role", "namespace", "subject"];

/** Pure: what nearly allows a request, the nearest first. Not in it: bindings that the system itself makes for others. */
export function nearMisses(listers: RbacListers, asked: Attributes): NearMiss[] {
  const found: NearMiss[] = [];
  let seen = 0;
  const look = (bindings: Iterable<Binding>): void => {
    for (const binding of bindings) {
      if (++seen > mostBindings) return;
      const miss = missOf(listers, binding, asked);
      if (miss) found.push(miss);
    }
  };
  look(listers.clusterRoleBindings.list("/registry/clusterrolebindings/"));
  look(listers.roleBindings.list("/registry/rolebindings/"));
  return found.sort((a, b) => order.indexOf(a.lacks) - order.indexOf(b.lacks)).slice(0, mostAnswers);
}

function missOf(listers: RbacListers, binding: Binding, asked: Attributes): NearMiss | undefined {
  const namespace = binding.metadata?.namespace ?? "";
  const { roleRef } = binding;
  const rules = rulesOfRole(listers, roleRef, namespace);
  const isInScope = namespace === "" || namespace === asked.namespace;
  const isFor = (binding.subjects ?? []).some((subject) => isSubject(subject, asked.user, namespace));
  const allows = rules?.some((rule) => ruleAllows(rule, asked)) ?? false;
  const about = {
    binding: {
      kind: namespace === "" ? ("ClusterRoleBinding" as const) : ("RoleBinding" as const),
      ...(namespace !== "" && { namespace }),
      name: binding.metadata?.name ?? "",
    },
    role: { kind: roleRef.kind, name: roleRef.name },
  };
  if (isFor && isInScope && !rules)
    return { ...about, lacks: "role", add: { rule: ruleFor(asked) }, text: `the ${roleRef.kind} does not exist` };
  if (isFor && isInScope && !allows && rules) {
    const text = nearRule(rules, asked);
    return text === undefined ? undefined : { ...about, lacks: "rule", add: { rule: ruleFor(asked) }, text };
  }
  if (isFor && !isInScope && allows && asked.isResource) {
    const add: Addition = {
      bindingIn: asked.namespace,
      ...(roleRef.kind === "Role" && { roleIn: asked.namespace }),
    };
    // A cluster-wide binding cannot name a Role.
    if (roleRef.kind === "Role" && asked.namespace === "") return undefined;
    return { ...about, lacks: "namespace", add, text: `would do, but is in namespace ${namespace}` };
  }
  if (!isFor && isInScope && allows && !isBootstrapped(binding)) {
    const names = (binding.subjects ?? []).slice(0, 3).map((subject) => describeSubject(subject, namespace));
    const text = `would do, but is for ${names.join(", ") || "nobody"}`;
    return { ...about, lacks: "subject", add: { subject: subjectOf(asked.user) }, text };
  }
  return undefined;
}

const isBootstrapped = ({ metadata }: Binding): boolean =>
  metadata?.labels?.["kubernetes.io/bootstrapping"] === "rbac-defaults";

/** Exactly what is asked for, and no more. */
function ruleFor({ isResource, path, verb, group, resource, subresource, name }: Attributes): PolicyRule {
  if (!isResource) return { nonResourceURLs: [path], verbs: [verb] };
  return {
    apiGroups: [group],
    resources: [subresource === "" ? resource : `${resource}/${subresource}`],
    ...(name !== "" && { resourceNames: [name] }),
    verbs: [verb],
  };
}

function subjectOf({ name }: UserInfo): Subject {
  const [, namespace, account] = /^system:serviceaccount:([^:]+):([^:]+)$/.exec(name) ?? [];
  if (namespace !== undefined && account !== undefined) return { kind: "ServiceAccount", namespace, name: account };
  return { kind: "User", apiGroup: "rbac.authorization.k8s.io", name };
}

/** What the rule that comes nearest has, in words; undefined: none differs in just one list. */
function nearRule(rules: readonly DeepReadonly<PolicyRule>[], asked: Attributes): string | undefined {
  const { verb, group, resource, subresource, name, path } = asked;
  const full = subresource === "" ? resource : `${resource}/${subresource}`;
  const verbs = new Set<string>();
  const texts: string[] = [];
  for (const rule of rules) {
    if (ruleAllows({ ...rule, verbs: [verb] }, asked)) for (const has of rule.verbs ?? []) verbs.add(has);
    if (!asked.isResource) {
      if (ruleAllows({ ...rule, nonResourceURLs: [path] }, asked) && rule.nonResourceURLs)
        texts.push(`has ${verb} of ${rule.nonResourceURLs.join(", ")}; ${path} is missing`);
      continue;
    }
    if (ruleAllows({ ...rule, resourceNames: [] }, asked))
      texts.push(
        `has ${verb} of ${full} named ${(rule.resourceNames ?? []).join(", ")}; ${name || "all names"} is missing`,
      );
    else if (ruleAllows({ ...rule, resources: [full] }, asked) && rule.resources)
      texts.push(`has ${verb} of ${rule.resources.join(", ")}; ${full} is missing`);
    else if (ruleAllows({ ...rule, apiGroups: [group] }, asked) && rule.apiGroups)
      texts.push(
        `has ${verb} of ${full} in API groups ${rule.apiGroups.map((each) => each || '""').join(", ")}; ${group || '""'} is missing`,
      );
  }
  const what = asked.isResource ? full : path;
  if (verbs.size > 0) return `has ${[...verbs].join(", ")} of ${what}; ${verb} is missing`;
  return texts[0];
}
