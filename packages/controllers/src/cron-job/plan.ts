import { type CronSchedule, nextTime } from "@coxswain/apimachinery/cron";
import { compareUtf8 } from "@coxswain/apimachinery/text";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import { type CachedJob, finishedTypeOf } from "../job/job-state.js";
import { type CachedCronJob, jobNameAt } from "./cron-job-state.js";

/** Clocks of machines differ a little: a Job is looked for so long after its time, in milliseconds. */
const skewMs = 100;
/** From so many missed times on, a warning is due. */
const manyMissed = 100;

export interface ScheduleInputs {
  readonly cronJob: CachedCronJob;
  readonly schedule: CronSchedule;
  /** In milliseconds. */
  readonly now: number;
  /** For schedules without a zone. */
  readonly localZone: string;
}

/** Which Job is due. */
export type SchedulePlan =
  /** None, for the reason that an event gives. */
  | { readonly kind: "invalid"; readonly problem: string }
  /** None now. `missed`: the time of one that is too late. */
  | { readonly kind: "wait"; readonly missed?: number; readonly isBlocked?: boolean }
  | { readonly kind: "start"; readonly scheduledMs: number };

/** Pure: the latest time that has come since the last Job is due, unless it is too late or concurrency is forbidden. */
export function planSchedule(inputs: ScheduleInputs): SchedulePlan & { readonly hasMissedMany: boolean } {
  const { cronJob, now } = inputs;
  const { spec, status } = cronJob;
  const recent = mostRecent(inputs, { withDeadline: true });
  if (recent.problem !== undefined) return { kind: "invalid", problem: recent.problem, hasMissedMany: false };
  if (recent.dueMs === undefined) return { kind: "wait", hasMissedMany: false };
  const scheduledMs = recent.dueMs;
  const hasMissedMany = recent.missed > manyMissed;
  const deadlineSeconds = spec?.startingDeadlineSeconds;
  if (deadlineSeconds !== undefined && scheduledMs + deadlineSeconds * 1000 < now)
    return { kind: "wait", missed: scheduledMs, hasMissedMany };
  const { namespace } = cronJob.metadata ?? {};
  const name = jobNameAt(cronJob, scheduledMs);
  const isStarted = status?.active?.some((job) => job.name === name && job.namespace === namespace) ?? false;
  if (isStarted || status?.lastScheduleTime === formatTime(scheduledMs)) return { kind: "wait", hasMissedMany };
  if (spec?.concurrencyPolicy === "Forbid" && (status?.active?.length ?? 0) > 0)
    return { kind: "wait", isBlocked: true, hasMissedMany };
  return { kind: "start", scheduledMs, hasMissedMany };
}

/** Pure: in how many milliseconds a Job will be due. */
export function nextDueIn(inputs: ScheduleInputs): number {
  const { schedule, now, localZone } = inputs;
  const { earliestMs, dueMs, missed, problem } = mostRecent(inputs, { withDeadline: false });
  const after = problem !== undefined ? now : (dueMs ?? (missed === 0 ? earliestMs : now));
  const next = nextTime(schedule, after, localZone);
  // A schedule that never comes again is looked at when it is changed; upstream would look at once, again and again.
  return next === undefined ? Number.POSITIVE_INFINITY : next + skewMs - now;
}

interface Recent {
  /** When to begin to look: the last Job, or the CronJob's creation. */
  readonly earliestMs: number;
  /** The latest time since that has come. */
  readonly dueMs?: number;
  /** How many times have come since, roughly; 0 where at most one has. */
  readonly missed: number;
  readonly problem?: string;
}

function mostRecent(inputs: ScheduleInputs, { withDeadline }: { readonly withDeadline: boolean }): Recent {
  const { cronJob, schedule, now, localZone } = inputs;
  const { spec, status, metadata } = cronJob;
  const since = parseTimeMs(status?.lastScheduleTime ?? metadata?.creationTimestamp ?? "") ?? 0;
  const deadlineSeconds = withDeadline ? spec?.startingDeadlineSeconds : undefined;
  const earliestMs = deadlineSeconds === undefined ? since : Math.max(since, now - deadlineSeconds * 1000);
  const next = (after: number): number | undefined => nextTime(schedule, after, localZone);
  const first = next(earliestMs);
  if (first !== undefined && now < first) return { earliestMs, missed: 0 };
  const second = first === undefined ? undefined : next(first);
  if (first === undefined || second === undefined)
    return { earliestMs, missed: 0, problem: "time difference between two schedules is less than 1 second" };
  if (now < second) return { earliestMs, dueMs: first, missed: 0 };
  // Not all missed times are gone through: there may be very many. Two intervals before now is early enough to find the last one
  // where they are regular, and also keeps "@every" in step.
  const intervalMs = second - first;
  const missed = Math.floor((now - first) / intervalMs) + 1;
  let dueMs: number | undefined;
  for (let at = next(first + (missed - 2) * intervalMs); at !== undefined && at <= now; at = next(at)) dueMs = at;
  return { earliestMs, ...(dueMs !== undefined && { dueMs }), missed };
}

/** Pure: finished Jobs beyond the limits of the history, the oldest first. */
export function planHistory({ spec }: CachedCronJob, jobs: readonly CachedJob[]): CachedJob[] {
  const surplus = (type: "Complete" | "Failed", limit: number | undefined): CachedJob[] => {
    const finished = jobs.filter((job) => finishedTypeOf(job) === type);
    return limit === undefined ? [] : finished.sort(byStartTime).slice(0, Math.max(0, finished.length - limit));
  };
  return [...surplus("Complete", spec?.successfulJobsHistoryLimit), ...surplus("Failed", spec?.failedJobsHistoryLimit)];
}

/** Those that never started last, then by name. */
function byStartTime(a: CachedJob, b: CachedJob): number {
  const [startOfA, startOfB] = [a, b].map(({ status }) =>
    status?.startTime ? (parseTimeMs(status.startTime) ?? 0) : Number.POSITIVE_INFINITY,
  ) as [number, number];
  if (startOfA !== startOfB) return startOfA - startOfB;
  return compareUtf8(a.metadata?.name ?? "", b.metadata?.name ?? "");
}
