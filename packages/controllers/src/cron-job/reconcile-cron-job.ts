import type { CronJob, CronJobStatus } from "@coxswain/api/batch/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { WorkResult } from "@coxswain/client/queue";
import { type CachedJob, finishedTypeOf } from "../job/job-state.js";
import type { CachedCronJob, CachedCronJobStatus } from "./cron-job-state.js";
import type { CronJobWork, Draft } from "./cron-job-work.js";
import { deleteJob } from "./job-writes.js";
import { planHistory } from "./plan.js";
import { planActive, withoutActive } from "./plan-active.js";
import { syncSchedule } from "./sync-schedule.js";

/** Brings the Jobs and the status of one CronJob in line with its schedule. */
export async function reconcileCronJob(work: CronJobWork, key: string): Promise<WorkResult> {
  const cronJob = work.cronJobByKey(key);
  if (!cronJob) return;
  const owned = work.jobsOf(key);
  const before = cronJob.status ?? {};
  if (planActive(before, owned).unexpected.length > 0 && (await isBehind(work, cronJob))) return;
  const draft: Draft = { status: before };
  // A Job that the status still has as active is deleted after the status has noted when it succeeded: nobody could learn that later.
  const noted = (job: CachedJob): boolean => !before.active?.some(({ uid }) => uid === job.metadata?.uid);
  for (const job of planHistory(cronJob, owned).filter(noted)) await deleteJob(work, cronJob, job, draft);
  let afterMs: number | undefined;
  let failure: { readonly error: unknown } | undefined;
  try {
    await syncActive(work, cronJob, owned, draft);
    afterMs = await syncSchedule(work, cronJob, draft);
  } catch (error) {
    failure = { error };
  }
  // What has been done is noted, whatever came after it.
  if (draft.status !== before) await storeStatus(work, cronJob, draft.status);
  if (failure) throw failure.error;
  if (afterMs !== undefined && Number.isFinite(afterMs)) return { requeueAfterMs: afterMs };
}

/** Whether the cache has not seen the own last status yet. When it does, that wakes the CronJob again. */
async function isBehind({ client }: CronJobWork, { metadata }: CachedCronJob): Promise<boolean> {
  const fresh = await client.batch.v1.cronjobs(metadata?.namespace ?? "").get(metadata?.name ?? "");
  return fresh.metadata?.resourceVersion !== metadata?.resourceVersion;
}

async function syncActive(
  work: CronJobWork,
  cronJob: CachedCronJob,
  owned: readonly CachedJob[],
  draft: Draft,
): Promise<void> {
  const { record } = work;
  const plan = planActive(draft.status, owned);
  draft.status = plan.status;
  for (const { metadata } of plan.unexpected) {
    const message = `Saw a job that the controller did not create or forgot: ${metadata?.name}`;
    record(cronJob, "Warning", "UnexpectedJob", message);
  }
  for (const job of plan.completed) {
    const message = `Saw completed job: ${job.metadata?.name}, condition: ${finishedTypeOf(job)}`;
    record(cronJob, "Normal", "SawCompletedJob", message);
  }
  for (const job of plan.missing) {
    if (await isThere(work, job)) continue;
    record(cronJob, "Normal", "MissingJob", `Active job went missing: ${job.name}`);
    draft.status = withoutActive(draft.status, job.uid);
  }
}

/** Asks the server, since the cache of Jobs may be behind. */
async function isThere(
  { client }: CronJobWork,
  { namespace, name }: { namespace: string; name: string },
): Promise<boolean> {
  try {
    await client.batch.v1.jobs(namespace).get(name);
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

async function storeStatus(
  { client }: CronJobWork,
  cronJob: CachedCronJob,
  status: CachedCronJobStatus,
): Promise<void> {
  const namespace = cronJob.metadata?.namespace ?? "";
  const object = { ...(cronJob as CronJob), status: status as CronJobStatus };
  await client.batch.v1.cronjobs(namespace).updateStatus(object);
}
