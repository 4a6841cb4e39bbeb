import { parseTimeMs } from "@coxswain/apimachinery/time";
import { type CachedJob, conditionOf, finishedTypeOf } from "../job/job-state.js";

/** Pure: when the Job is to be deleted, in milliseconds since 1970; undefined: it is not over, or stays. */
export function expiryOf(job: CachedJob): number | undefined {
  const seconds = job.spec?.ttlSecondsAfterFinished;
  const type = finishedTypeOf(job);
  if (seconds === undefined || type === undefined || job.metadata?.deletionTimestamp) return undefined;
  const finishedMs = parseTimeMs(conditionOf(job.status, type)?.lastTransitionTime ?? "");
  const { namespace, name } = job.metadata ?? {};
  if (finishedMs === undefined) throw new Error(`unable to find the time when the Job ${namespace}/${name} finished`);
  return finishedMs + seconds * 1000;
}
