import { Budget, OverBudget } from "../languages/budget.js";
import type { CompiledStage } from "./compile-stage.js";

/** Steps of one Stage's expressions for one object. The published stages of KWOK take some tens. */
const stepsPerStage = 5_000;
/** Steps of all Stages together for one object: about a millisecond. */
const stepsPerObject = 20_000;

/** What Stages may use while one of them is chosen for an object. */
export class StageBudgets {
  readonly #all = new Budget({ steps: stepsPerObject });
  readonly #refuse: (stage: CompiledStage, error: OverBudget) => void;
  #heaviest: { readonly stage: CompiledStage; readonly steps: number } | undefined;

  /** @param refuse is given a Stage that used too much: one whose expressions do alone, or the one that used most of what all have */
  constructor(refuse: (stage: CompiledStage, error: OverBudget) => void) {
    this.#refuse = refuse;
  }

  /** Steps that were taken. */
  get steps(): number {
    return this.#all.steps;
  }

  /** What `work` finds out about a Stage; `otherwise` where it takes too much. */
  within<T>(stage: CompiledStage, otherwise: T, work: (budget: Budget) => T): T {
    const budget = new Budget({ steps: stepsPerStage }, this.#all);
    try {
      return work(budget);
    } catch (error) {
      if (!(error instanceof OverBudget)) throw error;
      const isOwn = budget.steps > stepsPerStage;
      this.#refuse(isOwn ? stage : (this.#heaviest?.stage ?? stage), error);
      return otherwise;
    } finally {
      if (!this.#heaviest || budget.steps > this.#heaviest.steps) this.#heaviest = { stage, steps: budget.steps };
    }
  }
}
