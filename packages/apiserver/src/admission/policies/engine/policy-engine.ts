import type { DeepReadonly } from "@coxswain/api";
import type {
  MatchCondition,
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicySpec,
} from "@coxswain/api/admissionregistration/v1";
import { type AdmissionCompiler, createAdmissionCompiler } from "@coxswain/cel/admission";
import type { Steps } from "@coxswain/runtime/steps";
import { compileMutatingPolicy } from "../evaluation/compile-mutating.js";
import { compileValidatingPolicy } from "../evaluation/compile-validating.js";
import type { MutatingEvaluator } from "../evaluation/mutating-evaluator.js";
import type { ValidatingEvaluator } from "../evaluation/validating-evaluator.js";
import { compileWebhookConditions, type EvaluateConditions } from "../evaluation/webhook-conditions.js";

/** Compiles policies, each expression in a step of its own. Importing this file loads CEL. */
export interface PolicyEngine {
  /** For the validation of policies themselves. */
  readonly compiler: AdmissionCompiler;
  compileValidating(spec: DeepReadonly<ValidatingAdmissionPolicySpec>): Steps<ValidatingEvaluator>;
  compileMutating(spec: DeepReadonly<MutatingAdmissionPolicySpec>): Steps<MutatingEvaluator>;
  /** Match conditions of a webhook. */
  compileConditions(conditions: readonly DeepReadonly<MatchCondition>[]): Steps<EvaluateConditions>;
}

export function createPolicyEngine(): PolicyEngine {
  const compiler = createAdmissionCompiler();
  return {
    compiler,
    compileValidating: (spec) => compileValidatingPolicy(compiler, spec),
    compileMutating: (spec) => compileMutatingPolicy(compiler, spec),
    compileConditions: (conditions) => compileWebhookConditions(compiler, conditions),
  };
}
