import type { DeepReadonly } from "@coxswain/api";
import type { MutatingAdmissionPolicySpec, Mutation } from "@coxswain/api/admissionregistration/v1";
import {
  type AdmissionCompiler,
  type CompiledExpression,
  type ExpressionUse,
  OutOfBudget,
  type PolicyCompiler,
} from "@coxswain/cel/admission";
import { celLimits } from "@coxswain/cel/kubernetes";
import type { Value } from "@coxswain/cel";
import { judgeMatchConditions } from "./match-conditions.js";
import { evaluatorOf, newBudget, type PolicyInput } from "./policy-input.js";
import { applyConfiguration } from "./apply-configuration.js";
import { applyPatch } from "./apply-patch.js";
import { MutationError, type MutatingEvaluator, type Mutate } from "./mutating-evaluator.js";

export function compileMutatingPolicy(
  compilers: AdmissionCompiler,
  spec: DeepReadonly<MutatingAdmissionPolicySpec>,
): MutatingEvaluator {
  const { matchConditions = [], mutations = [], variables = [], failurePolicy = "Fail" } = spec;
  const compiler = compilers.forPolicy();
  const options = { params: spec.paramKind !== undefined, isStored: true };
  for (const { name, expression } of variables) compiler.addVariable(name, expression, options);
  const compile = (use: ExpressionUse, expression: string) => compiler.compile(use, expression, options);
  const conditions = matchConditions.map(({ expression }) => compile("matchCondition", expression));
  return {
    match: (input) => judgeMatchConditions(conditions, { input, compiler, failurePolicy }),
    mutations: mutations.map((mutation) => compileMutation(mutation, compiler, compile)),
  };
}

function compileMutation(
  { patchType, jsonPatch, applyConfiguration: configuration }: DeepReadonly<Mutation>,
  compiler: PolicyCompiler,
  compile: (use: ExpressionUse, expression: string) => CompiledExpression,
): Mutate {
  if (patchType === "JSONPatch") {
    const expression = compile("jsonPatch", jsonPatch?.expression ?? "");
    return (input) => applyPatch(input, evaluate(expression, compiler, input));
  }
  const expression = compile("applyConfiguration", configuration?.expression ?? "");
  return (input, schema) => applyConfiguration(input, evaluate(expression, compiler, input), schema);
}

/** @throws MutationError */
function evaluate(expression: CompiledExpression, compiler: PolicyCompiler, input: PolicyInput): Value {
  if (expression.error) throw new MutationError(expression.error.detail);
  try {
    const outcome = evaluatorOf(input, compiler).evaluate(expression, newBudget(celLimits.perObject));
    if (outcome.error !== undefined) throw new MutationError(outcome.error);
    return outcome.value;
  } catch (error) {
    if (error instanceof OutOfBudget) throw new MutationError(error.message);
    throw error;
  }
}
