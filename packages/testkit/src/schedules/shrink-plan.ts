import type { ScheduleChange, SchedulePlan } from "./schedule-plan.js";

export interface ShrinkOptions {
  /** Whether the test fails under this plan. */
  fails(plan: SchedulePlan): Promise<boolean>;
  /** At most so many tries. @default 100 */
  readonly tries?: number;
}

/** The fewest changes that still fail, then the shortest holds. Each try is a run. */
export async function shrinkPlan(plan: SchedulePlan, { fails, tries = 100 }: ShrinkOptions): Promise<SchedulePlan> {
  let current = plan;
  let left = tries;
  const attempt = async (smaller: SchedulePlan): Promise<boolean> => {
    if (left-- <= 0 || !(await fails(smaller))) return false;
    current = smaller;
    return true;
  };
  // Faults last: a hold that is not needed beside one goes first.
  for (let isSmaller = true; isSmaller && current.length > 0; ) {
    isSmaller = false;
    for (let at = 0; at < current.length; at++)
      if (await attempt(current.toSpliced(at, 1))) {
        isSmaller = true;
        at -= 1;
      }
  }
  for (let at = 0; at < current.length; at++)
    for (const shorter of shorterHolds(current[at] as ScheduleChange))
      if (await attempt(current.with(at, shorter))) break;
  return current;
}

function shorterHolds(change: ScheduleChange): ScheduleChange[] {
  if (change.do !== "hold") return [];
  const most = typeof change.for === "number" ? change.for : Number.POSITIVE_INFINITY;
  return [1, 2, 4, 8].filter((steps) => steps < most).map((steps) => ({ ...change, for: steps }));
}
