import { formatChange, formatPlan, type SchedulePlan } from "./schedule-plan.js";

export interface ScheduleFailureFacts {
  readonly seed: number;
  readonly plan: SchedulePlan;
  /** What the test threw. */
  readonly error: unknown;
  /** How to repeat it, and where to look. */
  readonly lines?: readonly string[];
  /** Where it was found, and of how many changes it was shrunk; undefined: the plain run, or a repeated one. */
  readonly found?: { readonly run: number; readonly runs: number; readonly changes: number };
}

/** A test that fails under some order of work. `cause` is what it threw. */
export class ScheduleFailure extends Error {
  readonly seed: number;
  readonly plan: SchedulePlan;

  constructor({ seed, plan, error, found, lines = [] }: ScheduleFailureFacts) {
    const why = error instanceof Error ? error.message : String(error);
    const changes = plan.map((change) => `  ${formatChange(change)}`);
    super([headOf(plan, found), ...changes, why, ...lines].join("\n"), { cause: error });
    this.name = "ScheduleFailure";
    this.seed = seed;
    this.plan = plan;
  }
}

/** The variables that make the run again. */
export const scheduleVariables = (seed: number, plan: SchedulePlan): string =>
  `COXSWAIN_SEED=${seed}${plan.length === 0 ? "" : ` COXSWAIN_SCHEDULE='${formatPlan(plan)}'`}`;

function headOf(plan: SchedulePlan, found: ScheduleFailureFacts["found"]): string {
  if (!found) return plan.length === 0 ? "the test fails without any change of schedule:" : "the test fails under:";
  const shrunk = found.changes > plan.length ? `, shrunk from ${found.changes} changes to ${plan.length}` : "";
  return `the test failed under schedule ${found.run} of ${found.runs}${shrunk}:`;
}
