import type { MutatingAdmissionPolicySpec } from "@coxswain/api/admissionregistration/v1";
import { DecodeError, decodeJson, encodeJson, strictDecodingMessage } from "@coxswain/apimachinery/json";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { internalError } from "@coxswain/apimachinery/status";
import type { Soon } from "@coxswain/runtime/soon";
import type { AdmissionAttributes, AdmissionPlugin } from "../../admission.js";
import { createWriteVersions, type WriteVersions } from "../../matching/versioned-write.js";
import { createReinvocations, type Reinvocations } from "../../reinvocations.js";
import {
  type BoundPolicies,
  createBoundPolicies,
  isOutsidePolicies,
  type MatchedPolicy,
  matchedRequest,
  misconfiguration,
  orMisconfigured,
} from "../bound-policies.js";
import { compileOnce } from "../engine/compile-once.js";
import { type AccessChecks, createAccessChecks } from "../evaluation/access-checks.js";
import { type Mutate, type MutatingEvaluator, MutationError } from "../evaluation/mutating-evaluator.js";
import type { PolicyInput } from "../evaluation/policy-input.js";
import type { PolicyDeps } from "../policy-deps.js";
import type { Binding, Policy } from "../policy-hooks.js";
import type { PolicyMetrics } from "../policy-metrics.js";
import { objectSchema } from "./object-schema.js";
import { type PolicyFailure, refuseRequest } from "./refuse-request.js";

type MutatingPolicy = Policy<MutatingAdmissionPolicySpec>;
type Policies = BoundPolicies<MutatingAdmissionPolicySpec>;

/** Runs the MutatingAdmissionPolicies that are bound. */
export function createMutatingPolicies(deps: PolicyDeps): AdmissionPlugin {
  const policies: Policies = createBoundPolicies(deps, {
    policies: "mutatingadmissionpolicies",
    bindings: "mutatingadmissionpolicybindings",
  });
  const reinvocationsOf = createReinvocations();
  const evaluatorOf = compileOnce(deps.runtime, (engine, policy: MutatingPolicy) =>
    engine.compileMutating(policy.spec),
  );
  return {
    name: "MutatingAdmissionPolicy",
    operations: ["CREATE", "UPDATE", "CONNECT"],
    admit(attributes) {
      const hooks = policies.hooks();
      if (hooks.length === 0 || isOutsidePolicies(attributes)) return undefined;
      const failures: PolicyFailure[] = [];
      const matches = matchAll(policies, attributes, failures);
      if (matches.length === 0 && failures.length === 0) return undefined;
      return (async () => {
        const engine = deps.policyEngine.loaded ?? (await deps.policyEngine.load());
        const invocations = await withParams(policies, attributes, { matches, failures });
        if (invocations.length > 0) {
          const reinvocations = reinvocationsOf(attributes);
          const checks = createAccessChecks(deps.authorizer);
          const run = new Run({ policies, attributes, reinvocations, checks, failures, metrics: deps.policyMetrics });
          await run.all(invocations, (policy) => evaluatorOf(engine, policy));
        }
        refuseRequest(attributes, failures);
      })();
    },
  };
}

/** A binding whose policy is for the request, as it is itself. */
interface Match {
  readonly policy: MutatingPolicy;
  readonly binding: Binding;
  readonly matched: MatchedPolicy;
}

interface Invocation extends Match {
  readonly params: KubernetesObject | undefined;
}

function matchAll(policies: Policies, attributes: AdmissionAttributes, failures: PolicyFailure[]): Match[] {
  const request = matchedRequest(attributes);
  return policies.hooks().flatMap(({ policy, bindings }) => {
    const match = orMisconfigured(() => policies.matchPolicy(policy, request));
    if ("error" in match) {
      failures.push({ policy, message: `failed to configure policy: ${match.error}` });
      return [];
    }
    const { found: matched } = match;
    if (!matched) return [];
    return bindings.flatMap((binding) => {
      const own = orMisconfigured(() => policies.matchBinding(binding, request));
      if ("error" in own) failures.push({ policy, binding, message: `failed to configure binding: ${own.error}` });
      return "found" in own && own.found ? [{ policy, binding, matched }] : [];
    });
  });
}

/** One invocation for each parameter. */
async function withParams(
  policies: Policies,
  { namespace }: AdmissionAttributes,
  { matches, failures }: { matches: readonly Match[]; failures: PolicyFailure[] },
): Promise<Invocation[]> {
  const invocations: Invocation[] = [];
  for (const match of matches) {
    const { policy, binding, matched } = match;
    try {
      for (const params of await policies.paramsOf(matched, binding, namespace)) invocations.push({ ...match, params });
    } catch (error) {
      failures.push({ policy, binding, message: `failed to configure binding: ${misconfiguration(error)}` });
    }
  }
  return invocations;
}

interface RunDeps {
  readonly policies: Policies;
  readonly attributes: AdmissionAttributes;
  readonly reinvocations: Reinvocations;
  readonly checks: AccessChecks;
  readonly failures: PolicyFailure[];
  readonly metrics: PolicyMetrics | undefined;
}

/** One run of all policies over a write: the first, or the second after something else changed the object. */
class Run {
  readonly #deps: RunDeps;
  readonly #versions: WriteVersions;
  readonly #request: ReturnType<typeof matchedRequest>;

  constructor(deps: RunDeps) {
    this.#deps = deps;
    this.#versions = createWriteVersions(deps.attributes, deps.policies.equivalents);
    this.#request = matchedRequest(deps.attributes);
  }

  #hasMutated = false;

  async all(
    invocations: readonly Invocation[],
    evaluatorOf: (policy: MutatingPolicy) => Soon<MutatingEvaluator>,
  ): Promise<void> {
    const { attributes, reinvocations } = this.#deps;
    const runs = (attributes.reinvocation ??= { isSecondRun: false, isNeeded: false });
    if (runs.isSecondRun && reinvocations.isChangedSince(attributes.object)) reinvocations.requireInvoked();
    try {
      for (const invocation of invocations) await this.#invoke(invocation, await evaluatorOf(invocation.policy));
      // Also the last one, and one that changed nothing: upstream goes by whether a mutation was made at all.
      if (this.#hasMutated) {
        reinvocations.requireInvoked();
        runs.isNeeded = true;
      }
    } finally {
      reinvocations.setLastOutput(attributes.object);
    }
  }

  async #invoke(invocation: Invocation, evaluator: MutatingEvaluator): Promise<void> {
    const { attributes, reinvocations, checks, failures, metrics } = this.#deps;
    const { policy, binding } = invocation;
    const names = { policy: policy.metadata.name ?? "", binding: binding.metadata.name ?? "" };
    const input = await this.#inputOf(invocation);
    const { matches, error } = await checks.run(() => evaluator.match(input));
    if (error !== undefined) failures.push({ policy, binding, message: error, reason: "Invalid" });
    if (!matches) return;
    const id = JSON.stringify([
      policy.metadata.name,
      binding.metadata.name,
      invocation.params?.metadata.namespace,
      invocation.params?.metadata.name,
    ]);
    if (attributes.reinvocation?.isSecondRun && !reinvocations.isWanted(id)) return;
    let isChanged = false;
    for (const mutate of evaluator.mutations) {
      const began = metrics?.clock.monotonic() ?? 0;
      const note = (message?: string): void =>
        metrics?.mutated({ ...names, ms: metrics.clock.monotonic() - began, message });
      try {
        isChanged = (await this.#mutate(invocation, mutate)) || isChanged;
        this.#hasMutated = true;
        note();
      } catch (failure) {
        note(failure instanceof Error ? failure.message : String(failure));
        if (!(failure instanceof MutationError)) throw failure;
        failures.push({ policy, binding, message: failure.message, reason: "Invalid" });
      }
    }
    if (isChanged) {
      reinvocations.requireInvoked();
      if (attributes.reinvocation) attributes.reinvocation.isNeeded = true;
    }
    if (policy.spec.reinvocationPolicy === "IfNeeded") reinvocations.addInvoked(id);
  }

  /** @returns whether the object is another now */
  async #mutate(invocation: Invocation, mutate: Mutate): Promise<boolean> {
    const { attributes, policies, checks } = this.#deps;
    const { kind } = invocation.matched.invocation;
    const input = await this.#inputOf(invocation);
    if (!input.object) return false;
    const schema = objectSchema(attributes, kind, policies.equivalents);
    const mutated = await checks.run(() => mutate(input, schema));
    if (mutated === input.object) return false;
    try {
      const json = encodeJson(mutated);
      // What no field is for is refused; custom resources are pruned later.
      const unknown = attributes.kind.storedForm ? [] : decodeJson(json, schema, { strict: true }).warnings;
      if (unknown.length > 0) throw internalError(strictDecodingMessage(unknown));
      return await this.#versions.replace(kind, json);
    } catch (error) {
      if (error instanceof DecodeError) throw internalError(error.message, { cause: error });
      throw error;
    }
  }

  async #inputOf({ matched: { invocation }, params }: Invocation): Promise<PolicyInput> {
    const { attributes, policies, checks } = this.#deps;
    const { object, old } = await this.#versions.in(invocation.kind);
    const namespace = policies.namespaceOf(attributes);
    return { attributes, requested: this.#request.requested, invocation, object, old, params, namespace, checks };
  }
}
