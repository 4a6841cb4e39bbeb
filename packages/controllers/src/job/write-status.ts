import type { Job, JobStatus } from "@coxswain/api/batch/v1";
import { isNotFound } from "@coxswain/apimachinery/status";
import { uidOf } from "../controller/object-facts.js";
import { referenceOf } from "../pods/pod-control.js";
import { type CachedJob, jobKind } from "./job-state.js";
import { type JobWork, jobResource } from "./job-work.js";
import { releasePatch } from "./orphan-pods.js";
import type { JobPlan, Outcome } from "./plan.js";
import { countReleased, finishStatus, type PodsResult, planStatus, type StatusPlan } from "./plan-status.js";

/**
 * First the status, with the UIDs of the pods that are to be counted; then their finalizers; then the status with the pods
 * counted. Whatever it is ended between, no pod is counted twice or never.
 */
export async function writeStatus(work: JobWork, key: string, plan: JobPlan, acted: PodsResult): Promise<void> {
  const { metrics, backoffs, clearsStartTime } = work;
  const { now } = plan.inputs;
  const next = planStatus(plan, acted, { clearsStartTime });
  reportTransition(work, plan.inputs.job, next);
  let job: CachedJob = { ...plan.inputs.job, status: next.status };
  if (next.isChanged) {
    const before = plan.inputs.job.status ?? {};
    job = await storeStatus(work, key, job);
    backoffs.set(key, plan.backoff);
    metrics.counted(job, before, job.status ?? {});
  }
  metrics.policyActions(next.policyActions);
  const { stillTracked, error } = await releasePods(work, key, next);
  const counted = countReleased(job.status ?? {}, stillTracked);
  const final =
    next.outcome && error === undefined
      ? finishStatus(counted, { outcome: next.outcome, terminating: acted.terminating, now })
      : undefined;
  if (final !== undefined || counted !== (job.status ?? counted)) {
    const written = await storeStatus(work, key, { ...job, status: final ?? counted });
    metrics.counted(job, job.status ?? {}, written.status ?? {});
    if (final && next.outcome) reportFinished(work, written, next.outcome);
  }
  if (error !== undefined) throw error;
}

async function storeStatus({ client, consistency }: JobWork, key: string, job: CachedJob): Promise<CachedJob> {
  const { namespace = "", uid = "" } = job.metadata ?? {};
  const status = job.status as JobStatus;
  const written = await client.batch.v1.jobs(namespace).updateStatus({ ...(job as Job), status });
  consistency.wroteAt({ key, uid }, jobResource, written.metadata?.resourceVersion ?? "");
  return written;
}

/** Answers the UIDs of the pods that kept their finalizer. */
async function releasePods(
  { podControl, released }: JobWork,
  key: string,
  { release, tracked }: StatusPlan,
): Promise<{ readonly stillTracked: ReadonlySet<string>; readonly error?: unknown }> {
  const stillTracked = new Set(tracked);
  const awaited = released.get(key) ?? new Set();
  if (release.length > 0) released.set(key, awaited);
  const failures: unknown[] = [];
  await Promise.all(
    release.map(async (pod) => {
      const uid = uidOf(pod);
      awaited.add(uid);
      try {
        await podControl.patch(pod, releasePatch);
        stillTracked.delete(uid);
      } catch (error) {
        // No event of a removed finalizer will come.
        awaited.delete(uid);
        if (isNotFound(error)) stillTracked.delete(uid);
        else failures.push(error);
      }
    }),
  );
  return { stillTracked, ...(failures.length > 0 && { error: failures[0] }) };
}

function reportTransition({ recorder }: JobWork, job: CachedJob, { transition }: StatusPlan): void {
  if (transition === undefined) return;
  const message = transition === "Suspended" ? "Job suspended" : "Job resumed";
  recorder.event(referenceOf(job, jobKind), { type: "Normal", reason: transition, message });
}

function reportFinished({ recorder, metrics, finished }: JobWork, job: CachedJob, outcome: Outcome): void {
  const object = referenceOf(job, jobKind);
  finished.add(job.metadata?.uid ?? "");
  metrics.finished(job, outcome);
  if (outcome.type === "Failed") {
    recorder.event(object, { type: "Warning", reason: outcome.reason, message: outcome.message });
    return;
  }
  if ((job.status?.succeeded ?? 0) > (job.spec?.completions ?? Number.POSITIVE_INFINITY)) {
    const message = "Too many succeeded pods running after completion count reached";
    recorder.event(object, { type: "Warning", reason: "TooManySucceededPods", message });
  }
  recorder.event(object, { type: "Normal", reason: "Completed", message: "Job completed" });
}
