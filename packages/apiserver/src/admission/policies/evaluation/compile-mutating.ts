import type { DeepReadonly } from "@coxswain/api";
import type { MutatingAdmissionPolicySpec, Mutation } from "@coxswain/api/admissionregistration/v1";
import type { Value } from "@coxswain/cel";
import {
  type AdmissionCompiler,
  type CompiledExpression,
  OutOfBudget,
  type PolicyCompiler,
} from "@coxswain/cel/admission";
import { celLimits } from "@coxswain/cel/kubernetes";
import type { Steps } from "@coxswain/runtime/steps";
import { applyConfiguration } from "./apply-configuration.js";
import { applyPatch } from "./apply-patch.js";
import { compileVariables, type StoredPolicyCompiler } from "./compile-variables.js";
import { evaluateMatchConditions } from "./match-conditions.js";
import { type Mutate, type MutatingEvaluator, MutationError } from "./mutating-evaluator.js";
import { evaluatorOf, newBudget, type PolicyInput } from "./policy-input.js";

export function* compileMutatingPolicy(
  compilers: AdmissionCompiler,
  spec: DeepReadonly<MutatingAdmissionPolicySpec>,
): Steps<MutatingEvaluator> {
  const { matchConditions = [], mutations = [], variables = [], failurePolicy = "Fail" } = spec;
  const policy = yield* compileVariables(compilers, variables, { hasParams: spec.paramKind !== undefined });
  const conditions = yield* policy.compileAll(
    "matchCondition",
    matchConditions.map(({ expression }) => expression),
  );
  const all: Mutate[] = [];
  for (const mutation of mutations) all.push(yield* compileMutation(mutation, policy));
  return {
    match: (input) => evaluateMatchConditions(conditions, { input, compiler: policy.compiler, failurePolicy }),
    mutations: all,
  };
}

function* compileMutation(
  { patchType, jsonPatch, applyConfiguration: configuration }: DeepReadonly<Mutation>,
  { compiler, compile }: StoredPolicyCompiler,
): Steps<Mutate> {
  if (patchType === "JSONPatch") {
    const expression = yield* compile("jsonPatch", jsonPatch?.expression ?? "");
    return (input) => applyPatch(input, evaluate(expression, compiler, input));
  }
  const expression = yield* compile("applyConfiguration", configuration?.expression ?? "");
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
