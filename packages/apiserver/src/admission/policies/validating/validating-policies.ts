import type { ValidatingAdmissionPolicySpec } from "@coxswain/api/admissionregistration/v1";
import { goJson } from "@coxswain/apimachinery/field";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { AdmissionAttributes, AdmissionPlugin } from "../../admission.js";
import { createWriteVersions, type WriteVersions } from "../../matching/versioned-write.js";
import {
  type BoundPolicies,
  createBoundPolicies,
  isOutsidePolicies,
  type MatchedPolicy,
  matchedRequest,
  misconfiguration,
  orMisconfigured,
} from "../bound-policies.js";
import { compileOnce, type EvaluatorOf } from "../engine/compile-once.js";
import { type AccessChecks, createAccessChecks } from "../evaluation/access-checks.js";
import type { PolicyDecision, ValidatingEvaluator, ValidationResult } from "../evaluation/validating-evaluator.js";
import type { PolicyDeps } from "../policy-deps.js";
import type { Binding, Policy, PolicyHook } from "../policy-hooks.js";
import { AnnotationCollector } from "./annotation-collector.js";
import { type Denial, denyRequest } from "./deny-request.js";

type ValidatingPolicy = Policy<ValidatingAdmissionPolicySpec>;
type Policies = BoundPolicies<ValidatingAdmissionPolicySpec>;

/** Runs the ValidatingAdmissionPolicies that are bound. */
export function createValidatingPolicies(deps: PolicyDeps): AdmissionPlugin {
  const policies: Policies = createBoundPolicies(deps, {
    policies: "validatingadmissionpolicies",
    bindings: "validatingadmissionpolicybindings",
  });
  const evaluatorOf = compileOnce(deps.runtime, (engine, policy: ValidatingPolicy) =>
    engine.compileValidating(policy.spec),
  );
  return {
    name: "ValidatingAdmissionPolicy",
    operations: ["CREATE", "UPDATE", "DELETE", "CONNECT"],
    validate(attributes) {
      const hooks = policies.hooks();
      if (hooks.length === 0 || isOutsidePolicies(attributes)) return undefined;
      const review = new Review({ deps, policies, attributes, evaluatorOf });
      for (const hook of hooks) review.match(hook);
      return review.isDone ? undefined : review.run();
    },
  };
}

interface ReviewDeps {
  readonly deps: PolicyDeps;
  readonly policies: Policies;
  readonly attributes: AdmissionAttributes;
  readonly evaluatorOf: EvaluatorOf<ValidatingPolicy, ValidatingEvaluator>;
}

/** A policy that is for the request, with the bindings of it that are. */
interface Applicable {
  readonly policy: ValidatingPolicy;
  readonly matched: MatchedPolicy;
  readonly bindings: readonly { readonly binding: Binding; readonly error?: string }[];
}

/** All policies on one request. The first that denies is what the client sees. */
class Review {
  readonly #deps: ReviewDeps;
  readonly #request: ReturnType<typeof matchedRequest>;
  readonly #versions: WriteVersions;
  readonly #checks: AccessChecks;
  readonly #steps: (Denial | Applicable)[] = [];
  readonly #denials: Denial[] = [];

  constructor(deps: ReviewDeps) {
    this.#deps = deps;
    this.#request = matchedRequest(deps.attributes);
    this.#versions = createWriteVersions(deps.attributes, deps.policies.equivalents);
    this.#checks = createAccessChecks(deps.deps.authorizer);
  }

  /** Whether no policy applies. */
  get isDone(): boolean {
    return this.#steps.length === 0;
  }

  match({ policy, bindings }: PolicyHook<ValidatingPolicy>): void {
    const { policies } = this.#deps;
    const match = orMisconfigured(() => policies.matchPolicy(policy, this.#request));
    if ("error" in match) {
      this.#misconfigured(this.#steps, policy, match.error);
      return;
    }
    if (!match.found) return;
    const applicable = bindings.flatMap((binding) => {
      const own = orMisconfigured(() => policies.matchBinding(binding, this.#request));
      if ("error" in own) return [{ binding, error: own.error }];
      return own.found ? [{ binding }] : [];
    });
    if (applicable.length > 0) this.#steps.push({ policy, matched: match.found, bindings: applicable });
  }

  async run(): Promise<void> {
    const { deps, attributes, evaluatorOf } = this.#deps;
    const engine = deps.policyEngine.loaded ?? (await deps.policyEngine.load());
    for (const step of this.#steps) {
      if (!("matched" in step)) {
        this.#denials.push(step);
        continue;
      }
      const { policy, matched } = step;
      const annotations = new AnnotationCollector();
      for (const { binding, error } of step.bindings) {
        if (error !== undefined) this.#misconfigured(this.#denials, policy, error, binding);
        else
          await this.#evaluate({ policy, matched, binding, evaluator: await evaluatorOf(engine, policy), annotations });
      }
      annotations.publish(policy.metadata.name ?? "", attributes.request);
    }
    const [first] = this.#denials;
    if (first) throw denyRequest(attributes, first);
  }

  async #evaluate({ policy, matched, binding, evaluator, annotations }: Evaluation): Promise<void> {
    const { attributes, policies } = this.#deps;
    let params: readonly (KubernetesObject | undefined)[];
    try {
      params = await policies.paramsOf(matched, binding, attributes.namespace);
    } catch (error) {
      this.#misconfigured(this.#denials, policy, misconfiguration(error), binding);
      return;
    }
    if (params.length === 0) return;
    const { object, old } = await this.#versions.in(matched.invocation.kind);
    const namespace = policies.namespaceOf(attributes);
    const { requested } = this.#request;
    const { invocation } = matched;
    for (const param of params) {
      const input = { attributes, requested, invocation, object, old, params: param, namespace, checks: this.#checks };
      const clock = this.#deps.deps.policyMetrics?.clock;
      const began = clock?.monotonic() ?? 0;
      const result = await this.#checks.run(() => evaluator.validate(input));
      this.#act({ policy, binding, annotations }, result, (clock?.monotonic() ?? 0) - began);
    }
  }

  /** Does what the binding wants done about each decision. */
  #act(
    { policy, binding, annotations }: Pick<Evaluation, "policy" | "binding" | "annotations">,
    result: ValidationResult,
    ms: number,
  ): void {
    const { request } = this.#deps.attributes;
    const { policyMetrics } = this.#deps.deps;
    const name = policy.metadata.name ?? "";
    const bindingName = binding.metadata.name ?? "";
    const { validationActions = [] } = binding.spec;
    for (const [index, decision] of result.decisions.entries()) {
      const evaluated = { policy: name, binding: bindingName, ms, message: decision.message };
      if (!decision.isDenied) {
        // What is admitted in spite of an error; what is admitted without one is not counted, as upstream has it (k8s.io/apiserver/pkg/admission/plugin/policy/validating/dispatcher.go, ObserveAdmission).
        if (decision.message !== "") policyMetrics?.validated(evaluated, "allow");
        continue;
      }
      for (const action of validationActions) {
        policyMetrics?.validated(evaluated, actionLabels[action] ?? "deny");
        if (action === "Deny") this.#denials.push({ ...decision, policy: name, binding: bindingName });
        else if (action === "Audit") request?.annotate(failureKey, failureValue(binding, index, decision));
        else if (action === "Warn")
          request?.warn(
            `Validation failed for ValidatingAdmissionPolicy '${name}' with binding '${bindingName}': ${decision.message}`,
          );
      }
    }
    for (const annotation of result.annotations) {
      if (annotation.action === "publish") annotations.add(annotation.key, annotation.value);
      else if (annotation.action === "error") {
        this.#denials.push({ message: annotation.error, policy: name, binding: bindingName });
        policyMetrics?.validated({ policy: name, binding: bindingName, ms, message: annotation.error }, "deny");
      }
    }
  }

  #misconfigured(into: (Denial | Applicable)[], policy: ValidatingPolicy, error: string, binding?: Binding): void {
    if (policy.spec.failurePolicy === "Ignore") return;
    into.push({
      policy: policy.metadata.name ?? "",
      ...(binding && { binding: binding.metadata.name ?? "" }),
      message: `failed to configure ${binding ? "binding" : "policy"}: ${error}`,
    });
  }
}

interface Evaluation {
  readonly policy: ValidatingPolicy;
  readonly matched: MatchedPolicy;
  readonly binding: Binding;
  readonly evaluator: ValidatingEvaluator;
  readonly annotations: AnnotationCollector;
}

const actionLabels: Readonly<Record<string, "deny" | "audit" | "warn">> = {
  Deny: "deny",
  Audit: "audit",
  Warn: "warn",
};

const failureKey = "validation.policy.admission.k8s.io/validation_failure";

/** A list, so that it may hold several failures one day. */
const failureValue = ({ metadata, spec }: Binding, expressionIndex: number, { message }: PolicyDecision): string =>
  goJson([
    {
      message,
      policy: spec.policyName ?? "",
      binding: metadata.name ?? "",
      expressionIndex,
      validationActions: spec.validationActions ?? [],
    },
  ]);
