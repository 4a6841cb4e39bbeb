import { type RandomSource, randomInt, shuffled } from "@coxswain/runtime/random";
import type { SeenSteps } from "./schedule.js";
import {
  formatPlan,
  type HoldLength,
  type ScheduleChange,
  type ScheduledFault,
  type SchedulePlan,
} from "./schedule-plan.js";
import { isEventStep } from "./step-transport.js";

export interface PlanSpace {
  readonly seen: SeenSteps;
  /** How many writes programs sent in the plain run. */
  readonly writes: number;
  readonly faults: readonly ScheduledFault[];
  /** @default 4 */
  readonly mostChanges?: number;
  readonly random: RandomSource;
}

/** How long a step is held back: others pass it. */
const holds: readonly HoldLength[] = ["quiet", 1, 2, 5, 12];
/** Events may also come later by the clock. */
const lags: readonly HoldLength[] = [{ seconds: 2 }, { seconds: 30 }];
const lengthsOf = (step: string, short: readonly HoldLength[]): readonly HoldLength[] =>
  isEventStep(step) ? [...short, ...lags] : short;

/** Pure but for chance: first every single change in random order, then sets of them, without end. None comes twice while there are others. */
export function* drawPlans(space: PlanSpace): Generator<SchedulePlan, never> {
  const { random, mostChanges = 4 } = space;
  const tried = new Set<string>();
  for (const change of shuffled(singles(space), random)) {
    tried.add(formatPlan([change]));
    yield [change];
  }
  for (;;) {
    let plan: SchedulePlan = [];
    // A plan that was there already is drawn again, but not for ever: a small program has few.
    for (let attempt = 0; attempt < 20; attempt++) {
      plan = drawSet(space, 2 + randomInt(mostChanges - 1, random));
      if (!tried.has(formatPlan(plan))) break;
    }
    tried.add(formatPlan(plan));
    yield plan;
  }
}

/** Of holds that end at an instant, those until nothing else moves find most: shorter ones come in sets. */
function singles({ seen, writes, faults }: PlanSpace): ScheduleChange[] {
  const all: ScheduleChange[] = [];
  for (const { step, nth } of seen.steps)
    for (const length of lengthsOf(step, ["quiet"])) all.push({ do: "hold", step, nth, for: length });
  for (const { nth, waiting } of seen.picks)
    for (let item = 1; item < Math.min(waiting, 4); item++) all.push({ do: "pick", nth, item });
  for (let write = 1; write <= writes; write++) for (const fault of faults) all.push({ do: "fault", fault, write });
  return all;
}

function drawSet(space: PlanSpace, size: number): SchedulePlan {
  const { random, seen, writes, faults } = space;
  const changes: ScheduleChange[] = [];
  while (changes.length < size) {
    const dice = random.next();
    const step = seen.steps[randomInt(seen.steps.length, random)];
    const pick = seen.picks[randomInt(seen.picks.length, random)];
    const fault = faults[randomInt(faults.length, random)];
    if (dice < 0.25 && fault && writes > 0) changes.push({ do: "fault", fault, write: 1 + randomInt(writes, random) });
    else if (dice < 0.4 && pick)
      changes.push({ do: "pick", nth: pick.nth, item: 1 + randomInt(pick.waiting - 1, random) });
    else if (step) {
      const lengths = lengthsOf(step.step, holds);
      changes.push({ do: "hold", ...step, for: lengths[randomInt(lengths.length, random)] ?? "quiet" });
    } else break;
  }
  return changes;
}
