import { type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { CompiledStage } from "./compile-stage.js";
import type { SelectedObject } from "./selected-object.js";
import type { StageBudgets } from "./stage-budgets.js";

export interface StageChoice {
  readonly now: number;
  readonly random: RandomSource;
  readonly budgets: StageBudgets;
}

/**
 * Pure but for chance: the Stage that is played next on an object, chosen by weight from those that select it. One whose
 * weight cannot be read is chosen only where that is true of all; where all weights are zero, each is as likely.
 */
export function chooseStage(
  stages: readonly CompiledStage[],
  object: SelectedObject,
  { now, random, budgets }: StageChoice,
): CompiledStage | undefined {
  const selecting = stages.filter((stage) => budgets.within(stage, false, (budget) => stage.selects(object, budget)));
  if (selecting.length < 2) return selecting[0];
  const weighed = selecting.map((stage) => ({
    stage,
    weight: budgets.within(stage, undefined, (budget) => stage.weight(object, now, budget)),
  }));
  const known = weighed.filter(({ weight }) => weight !== undefined);
  if (known.length === 0) return selecting[randomInt(selecting.length, random)];
  const total = known.reduce((sum, { weight = 0 }) => sum + Math.max(0, weight), 0);
  if (total === 0) return known[randomInt(known.length, random)]?.stage;
  let left = randomInt(total, random);
  for (const { stage, weight = 0 } of known) {
    if (weight <= 0) continue;
    left -= weight;
    if (left < 0) return stage;
  }
  return selecting.at(-1);
}

/** Pure but for chance: milliseconds until the Stage is played, between its duration and its jitter; the jitter where that is less. */
export function delayOf(stage: CompiledStage, object: SelectedObject, { now, random, budgets }: StageChoice): number {
  const duration = budgets.within(stage, undefined, (budget) => stage.delay?.(object, now, budget));
  if (duration === undefined) return 0;
  const jitter = budgets.within(stage, undefined, (budget) => stage.jitter?.(object, now, budget));
  if (jitter === undefined) return duration;
  return jitter <= duration ? jitter : duration + randomInt(jitter - duration, random);
}
