import type { DeepReadonly } from "@coxswain/api";
import type { ValidatingAdmissionPolicySpec } from "@coxswain/api/admissionregistration/v1";
import { type AdmissionCompiler, createAdmissionCompiler } from "@coxswain/cel/admission";
import { compileValidatingPolicy } from "./validating/evaluate-policy.js";
import type { ValidatingEvaluator } from "./validating/validating-evaluator.js";

/** Compiles policies. Whoever imports this loads CEL. */
export interface PolicyEngine {
  /** For the validation of policies themselves. */
  readonly compiler: AdmissionCompiler;
  compileValidating(spec: DeepReadonly<ValidatingAdmissionPolicySpec>): ValidatingEvaluator;
}

export function createPolicyEngine(): PolicyEngine {
  const compiler = createAdmissionCompiler();
  return { compiler, compileValidating: (spec) => compileValidatingPolicy(compiler, spec) };
}
