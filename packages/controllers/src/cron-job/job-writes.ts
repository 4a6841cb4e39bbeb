import type { Job } from "@coxswain/api/batch/v1";
import { isAlreadyExists } from "@coxswain/apimachinery/status";
import { formatTime, parseTimeMs } from "@coxswain/apimachinery/time";
import { type CachedJob, jobKind } from "../job/job-state.js";
import { isControlledBy } from "../pods/controller-ref.js";
import { isNamespaceTerminating, messageOf, referenceOf } from "../pods/pod-control.js";
import { type CachedCronJob, jobFromTemplate } from "./cron-job-state.js";
import type { CronJobWork, Draft } from "./cron-job-work.js";
import { withoutActive } from "./plan-active.js";

/** False: somebody else has made a Job of that name. */
export async function startJob(
  work: CronJobWork,
  cronJob: CachedCronJob,
  { scheduledMs, draft }: { scheduledMs: number; draft: Draft },
): Promise<boolean> {
  if (cronJob.spec?.concurrencyPolicy === "Replace") await deleteActive(work, cronJob, draft);
  const job = await createJob(work, cronJob, scheduledMs);
  const isKnown = draft.status.active?.some(({ uid }) => uid === job.metadata?.uid) ?? false;
  if (!isControlledBy(job, cronJob) || isKnown) return false;
  const active = [...(draft.status.active ?? []), referenceOf(job, jobKind)];
  draft.status = { ...draft.status, active, lastScheduleTime: formatTime(scheduledMs) };
  return true;
}

/** Also answers the one that is there already: an earlier life may have created it and not come to note it. */
async function createJob(work: CronJobWork, cronJob: CachedCronJob, scheduledMs: number): Promise<Job> {
  const { client, skew, record, localZone } = work;
  const wanted = jobFromTemplate(cronJob, scheduledMs, localZone());
  const { name = "" } = wanted.metadata ?? {};
  const owned = client.batch.v1.jobs(cronJob.metadata?.namespace ?? "");
  try {
    const job = await owned.create(wanted);
    const createdMs = parseTimeMs(job.metadata?.creationTimestamp ?? "") ?? scheduledMs;
    skew.with().observe((createdMs - scheduledMs) / 1000);
    record(cronJob, "Normal", "SuccessfulCreate", `Created job ${name}`);
    return job;
  } catch (error) {
    if (isAlreadyExists(error)) return owned.get(name);
    // Every creation in such a namespace fails: nothing is wrong with this one.
    if (!isNamespaceTerminating(error))
      record(cronJob, "Warning", "FailedCreate", `Error creating job: ${messageOf(error)}`);
    throw error;
  }
}

async function deleteActive(work: CronJobWork, cronJob: CachedCronJob, draft: Draft): Promise<void> {
  const { client, record } = work;
  for (const { name = "", namespace = "" } of draft.status.active ?? []) {
    const job = await client.batch.v1
      .jobs(namespace)
      .get(name)
      .catch((error: unknown) => {
        record(cronJob, "Warning", "FailedGet", `Get job: ${messageOf(error)}`);
        throw error;
      });
    if (!(await deleteJob(work, cronJob, job, draft))) throw new Error(`could not replace job ${namespace}/${name}`);
  }
}

/** False: it failed, and an event has the reason. */
export async function deleteJob(
  { client, record }: CronJobWork,
  cronJob: CachedCronJob,
  { metadata }: CachedJob,
  draft: Draft,
): Promise<boolean> {
  const { namespace = "", name = "" } = metadata ?? {};
  try {
    await client.batch.v1.jobs(namespace).delete(name, { propagationPolicy: "Background" });
  } catch (error) {
    record(cronJob, "Warning", "FailedDelete", `Deleted job: ${messageOf(error)}`);
    return false;
  }
  draft.status = withoutActive(draft.status, metadata?.uid ?? "");
  record(cronJob, "Normal", "SuccessfulDelete", `Deleted job ${name}`);
  return true;
}
