import type { DeepReadonly } from "@coxswain/api";
import type {
  MatchCondition,
  MutatingAdmissionPolicySpec,
  ValidatingAdmissionPolicySpec,
} from "@coxswain/api/admissionregistration/v1";
import { type AdmissionCompiler, createAdmissionCompiler } from "@coxswain/cel/admission";
import { compileMutatingPolicy } from "./mutating/evaluate-policy.js";
import type { MutatingEvaluator } from "./mutating/mutating-evaluator.js";
import { compileValidatingPolicy } from "./validating/evaluate-policy.js";
import { compileWebhookConditions, type EvaluateConditions } from "./webhook-conditions.js";
import type { ValidatingEvaluator } from "./validating/validating-evaluator.js";

/** Compiles policies. Whoever imports this loads CEL. */
export interface PolicyEngine {
  /** For the validation of policies themselves. */
  readonly compiler: AdmissionCompiler;
  compileValidating(spec: DeepReadonly<ValidatingAdmissionPolicySpec>): ValidatingEvaluator;
  compileMutating(spec: DeepReadonly<MutatingAdmissionPolicySpec>): MutatingEvaluator;
  /** Match conditions of a webhook. */
  compileConditions(conditions: readonly DeepReadonly<MatchCondition>[]): EvaluateConditions;
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
