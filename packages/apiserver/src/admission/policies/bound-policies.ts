import type { DeepReadonly } from "@coxswain/api";
import type {
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicySpec,
} from "@coxswain/api/admissionregistration/v1";
import type { Namespace } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { isStatusError, notFound } from "@coxswain/apimachinery/status";
import type { AnyKind } from "@coxswain/kinds";
import { createLister, type Lister } from "../../cache/lister.js";
import { collectionPrefix, objectKey } from "../../cache/object-key.js";
import { storedKind } from "../../catalogue/stored-kind.js";
import type { AdmissionAttributes } from "../admission.js";
import { createEquivalentResources } from "../matching/equivalent-resources.js";
import type { Invocation } from "../matching/find-invocation.js";
import { requestedResource } from "../matching/requested-resource.js";
import { isExempt } from "../matching/rules.js";
import { ConfigurationError, collectParams, findParamKind, type ParamDeps } from "./collect-params.js";
import { type MatchDeps, type MatchedRequest, matchResources } from "./match-resources.js";
import type { PolicyDeps } from "./policy-deps.js";
import { type Binding, createPolicyHooks, type Policy, type PolicyHook } from "./policy-hooks.js";

type AnySpec = ValidatingAdmissionPolicySpec | MutatingAdmissionPolicySpec;

/** Policies of one kind with their bindings, and what they are matched by. */
export interface BoundPolicies<Spec extends AnySpec> {
  /** Those in force. */
  hooks(): readonly PolicyHook<Policy<Spec>>[];
  /** @throws StatusError, ConfigurationError */
  matchPolicy(policy: Policy<Spec>, request: MatchedRequest): MatchedPolicy | undefined;
  /** @throws StatusError, ConfigurationError */
  matchBinding(binding: Binding, request: MatchedRequest): boolean;
  /** @throws ConfigurationError */
  paramsOf(
    matched: MatchedPolicy,
    binding: Binding,
    namespace: string,
  ): Promise<readonly (KubernetesObject | undefined)[]>;
  /** The namespace of what is written; undefined where it has none. @throws StatusError where it does not exist */
  namespaceOf(attributes: AdmissionAttributes): (Namespace & KubernetesObject) | undefined;
  readonly equivalents: MatchDeps["equivalents"];
}

export interface MatchedPolicy {
  readonly invocation: Invocation;
  readonly paramKind: AnyKind | undefined;
}

const group = "admissionregistration.k8s.io";

export function createBoundPolicies<Spec extends AnySpec>(
  { feed, catalogue }: PolicyDeps,
  resources: { readonly policies: string; readonly bindings: string },
): BoundPolicies<Spec> {
  const read = <T>(resource: string): { lister: Lister<T>; prefix: string } => {
    const kind = storedKind(group, resource);
    return { lister: createLister<T>(feed.cacheOf(kind)), prefix: collectionPrefix(kind, "") };
  };
  const namespaceKind = storedKind("", "namespaces");
  const namespaces = createLister<Namespace & KubernetesObject>(feed.cacheOf(namespaceKind));
  const equivalents = createEquivalentResources(catalogue);
  const matching: MatchDeps = { namespaces, equivalents };
  const params: ParamDeps = { feed, catalogue };
  return {
    equivalents,
    hooks: createPolicyHooks<Policy<Spec>>(read(resources.policies), read(resources.bindings)),
    matchPolicy({ spec }, request) {
      const { matchConstraints, paramKind } = spec as DeepReadonly<AnySpec>;
      if (!matchConstraints) throw new ConfigurationError("policy contained no match constraints, a required field");
      const invocation = matchResources(matchConstraints, request, matching);
      return invocation && { invocation, paramKind: paramKind && findParamKind(params, paramKind) };
    },
    matchBinding: ({ spec: { matchResources: resources } }, request) =>
      resources === undefined || matchResources(resources, request, matching) !== undefined,
    paramsOf: ({ paramKind }, { spec }, namespace) =>
      collectParams(params, paramKind, { ref: spec.paramRef, namespace }),
    namespaceOf({ kind, namespace }) {
      if (namespace === "" || (kind.group === "" && kind.kind === "Namespace")) return undefined;
      const found = namespaces.get(objectKey(namespaceKind, "", namespace));
      if (!found) throw notFound({ group: "", resource: "namespaces" }, namespace);
      return found;
    },
  };
}

const reviews: ReadonlySet<string> = new Set([
  "authentication.k8s.io/selfsubjectreviews",
  "authentication.k8s.io/tokenreviews",
  "authorization.k8s.io/localsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectaccessreviews",
  "authorization.k8s.io/selfsubjectrulesreviews",
  "authorization.k8s.io/subjectaccessreviews",
]);

/** Reviews would break the cluster, and what configures admission could not be repaired again. */
export const isOutsidePolicies = ({ kind }: AdmissionAttributes): boolean =>
  isExempt(kind) || reviews.has(`${kind.group}/${kind.resource}`);

export const matchedRequest = (attributes: AdmissionAttributes): MatchedRequest => ({
  attributes,
  requested: requestedResource(attributes),
});

/** Runs what may find a policy or binding to be misconfigured. @returns its result, or why it is */
export function orMisconfigured<T>(find: () => T): { readonly found: T } | { readonly error: string } {
  try {
    return { found: find() };
  } catch (error) {
    return { error: misconfiguration(error) };
  }
}

/** The message of such an error; anything else is thrown on. */
export function misconfiguration(error: unknown): string {
  if (error instanceof ConfigurationError || isStatusError(error)) return error.message;
  throw error;
}
