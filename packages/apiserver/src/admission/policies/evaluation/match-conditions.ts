import { aggregateText } from "@coxswain/apimachinery/field";
import { type CompiledExpression, OutOfBudget, type PolicyCompiler } from "@coxswain/cel/admission";
import { celLimits } from "@coxswain/cel/kubernetes";
import { evaluatorOf, newBudget, type PolicyInput } from "./policy-input.js";

/** Whether the match conditions of a policy hold; `error`: that is not known, and the policy fails. */
export interface ConditionsVerdict {
  readonly matches: boolean;
  readonly error?: string;
}

/** One condition that is false decides. Otherwise errors count, by the failure policy. */
export function evaluateMatchConditions(
  conditions: readonly CompiledExpression[],
  { input, compiler, failurePolicy }: { input: PolicyInput; compiler: PolicyCompiler; failurePolicy: string },
): ConditionsVerdict {
  if (conditions.length === 0) return { matches: true };
  const failed = (error: string): ConditionsVerdict =>
    failurePolicy === "Ignore" ? { matches: false } : { matches: false, error };
  const evaluator = evaluatorOf(input, compiler, { asCondition: true });
  const budget = newBudget(celLimits.matchConditions);
  const errors: string[] = [];
  try {
    // All of them are evaluated, as upstream does (k8s.io/apiserver/pkg/admission/plugin/webhook/matchconditions/matcher.go, Match): a budget that is spent behind a false condition is an error.
    const outcomes = conditions.map((condition) => evaluator.evaluate(condition, budget));
    for (const outcome of outcomes) {
      if (outcome.error !== undefined) errors.push(outcome.error);
      else if (outcome.value === false) return { matches: false };
    }
  } catch (error) {
    if (error instanceof OutOfBudget) return failed(error.message);
    throw error;
  }
  const text = aggregateText(errors);
  return text === undefined ? { matches: true } : failed(text);
}
