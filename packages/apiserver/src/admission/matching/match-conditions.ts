import type { DeepReadonly } from "@coxswain/api";
import type { MatchCondition } from "@coxswain/api/admissionregistration/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import type { UserInfo } from "../../request/user-info.js";

/** What expressions may look at. */
export interface ConditionInput {
  readonly object: KubernetesObject | undefined;
  readonly old: KubernetesObject | undefined;
  /** An AdmissionRequest without its objects. */
  readonly request: Readonly<Record<string, unknown>>;
  /** For whom `authorizer` asks. */
  readonly user: UserInfo;
}

/** What one condition came to. `error`: it could not be compiled or evaluated. */
export type ConditionOutcome =
  | { readonly name: string; readonly holds: boolean }
  | { readonly name: string; readonly error: string };

/** Conditions of one webhook or policy, compiled. */
export interface CompiledConditions {
  /** Outcomes in order. Throws an Error where the whole cannot be evaluated: it costs more than its budget. */
  evaluate(input: ConditionInput): readonly ConditionOutcome[] | Promise<readonly ConditionOutcome[]>;
}

/** Compiles expressions that were accepted once. What does not compile any more is an outcome of its evaluation. */
export interface MatchConditionCompiler {
  compile(conditions: readonly DeepReadonly<MatchCondition>[]): CompiledConditions;
}

/** Whether all conditions hold; `error`: that is not known, and by the failure policy the request fails then. */
export type ConditionVerdict = { readonly matches: boolean; readonly errors: number; readonly error?: string };

/**
 * One false condition decides, whatever the others come to. Where there are only errors beside true ones, the failure policy
 * decides: Fail refuses the request, Ignore leaves the webhook out.
 */
export async function evaluateConditions(
  conditions: CompiledConditions,
  input: ConditionInput,
  failurePolicy: string | undefined,
): Promise<ConditionVerdict> {
  const failed = (errors: number, message: string): ConditionVerdict =>
    failurePolicy === "Ignore" ? { matches: false, errors } : { matches: false, errors, error: message };
  let outcomes: readonly ConditionOutcome[];
  try {
    outcomes = await conditions.evaluate(input);
  } catch (err) {
    return failed(0, (err as Error).message);
  }
  const errors: string[] = [];
  for (const outcome of outcomes) {
    if ("error" in outcome) errors.push(outcome.error);
    else if (!outcome.holds) return { matches: false, errors: errors.length };
  }
  if (errors.length === 0) return { matches: true, errors: 0 };
  const distinct = [...new Set(errors)];
  return failed(errors.length, distinct.length === 1 ? (distinct[0] ?? "") : `[${distinct.join(", ")}]`);
}
