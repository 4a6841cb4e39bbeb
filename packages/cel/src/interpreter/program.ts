import { type CheckedExpr } from "../checker/checked.js";
import { CelError, type Value } from "../values/value.js";
import { type Bindings, CostLimitExceeded, type Frame } from "./frame.js";
import { type PlanEnvironment, plan } from "./plan.js";

export interface EvaluateOptions {
  /** Asked now and then during long evaluations; true ends them with an error. */
  readonly isInterrupted?: () => boolean;
  /** Lower than the program's for this evaluation: what remains of a budget. */
  readonly costLimit?: number;
}

/** A value or an error, and what it took to get there. */
export type Evaluation =
  | { readonly ok: true; readonly value: Exclude<Value, CelError>; readonly cost: number }
  | {
      readonly ok: false;
      readonly error: CelError;
      /** The limit ended the evaluation, rather than the expression. */
      readonly isCostLimit: boolean;
      readonly cost: number;
    };

/** A planned expression. It holds no state: any number of evaluations may run. */
export interface Program {
  evaluate(bindings: Bindings, options?: EvaluateOptions): Evaluation;
}

export interface ProgramOptions {
  /** An evaluation that costs more than this ends with an error. @default none */
  readonly costLimit?: number;
}

/** @throws ProgramError where a constant part of the expression fails */
export function createProgram(
  checked: CheckedExpr,
  environment: PlanEnvironment,
  options: ProgramOptions = {},
): Program {
  const { evaluate, slots } = plan(checked, environment);
  const programLimit = options.costLimit ?? Number.POSITIVE_INFINITY;
  return {
    evaluate(bindings, { isInterrupted, costLimit = Number.POSITIVE_INFINITY } = {}) {
      const frame: Frame = {
        bindings,
        locals: Array.from({ length: slots }),
        cost: 0,
        costLimit: Math.min(programLimit, costLimit),
        isInterrupted,
        steps: 0,
      };
      try {
        const value = evaluate(frame);
        if (frame.cost > frame.costLimit) throw new CostLimitExceeded();
        if (value instanceof CelError) return { ok: false, error: value, isCostLimit: false, cost: frame.cost };
        return { ok: true, value, cost: frame.cost };
      } catch (error) {
        if (!(error instanceof CostLimitExceeded)) throw error;
        return { ok: false, error: new CelError(error.message), isCostLimit: true, cost: frame.cost };
      }
    },
  };
}
