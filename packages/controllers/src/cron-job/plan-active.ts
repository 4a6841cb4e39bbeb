import { parseTimeMs } from "@coxswain/apimachinery/time";
import { uidOf } from "../controller/object-facts.js";
import { type CachedJob, finishedTypeOf, isJobFinished } from "../job/job-state.js";
import type { CachedCronJobStatus } from "./cron-job-state.js";

/** The part of a CronJob's status that follows from its Jobs. */
export interface ActivePlan {
  readonly status: CachedCronJobStatus;
  /** Jobs that were active and are over. */
  readonly completed: readonly CachedJob[];
  /** Jobs that are not over and that the status does not mention. */
  readonly unexpected: readonly CachedJob[];
  /** Names of Jobs that the status mentions and that are not there. */
  readonly missing: readonly { readonly name: string; readonly namespace: string; readonly uid: string }[];
}

/** Pure: finished Jobs are no longer active, and the latest success is noted. The same status where nothing changes. */
export function planActive(before: CachedCronJobStatus, jobs: readonly CachedJob[]): ActivePlan {
  const mentioned = new Set(before.active?.map(({ uid }) => uid ?? ""));
  const known = new Set(jobs.map(uidOf));
  const completed = jobs.filter((job) => mentioned.has(uidOf(job)) && isJobFinished(job));
  const withoutCompleted = completed.map(uidOf).reduce(withoutActive, before);
  const lastSuccess = jobs
    .filter((job) => finishedTypeOf(job) === "Complete")
    .map(({ status }) => status?.completionTime)
    .reduce((latest, time) => (timeOf(time) > timeOf(latest) ? time : latest), before.lastSuccessfulTime);
  const status =
    lastSuccess !== undefined && lastSuccess !== before.lastSuccessfulTime
      ? { ...withoutCompleted, lastSuccessfulTime: lastSuccess }
      : withoutCompleted;
  return {
    status,
    completed,
    unexpected: jobs.filter((job) => !mentioned.has(uidOf(job)) && !isJobFinished(job)),
    missing: (before.active ?? [])
      .filter(({ uid }) => !known.has(uid ?? ""))
      .map(({ name = "", namespace = "", uid = "" }) => ({ name, namespace, uid })),
  };
}

/** The same object where it is not active. */
export function withoutActive(status: CachedCronJobStatus, uid: string): CachedCronJobStatus {
  const active = status.active?.filter((job) => job.uid !== uid);
  return active === undefined || active.length === status.active?.length ? status : { ...status, active };
}

const timeOf = (time: string | undefined): number => (time ? (parseTimeMs(time) ?? 0) : Number.NEGATIVE_INFINITY);
