import { claimObjects, withFinalizer } from "@coxswain/client/controller";
import type { WorkResult } from "@coxswain/client/queue";
import { selectorOf } from "../controller/object-facts.js";
import { checkCanAdopt } from "../pods/can-adopt.js";
import { isControlledBy } from "../pods/controller-ref.js";
import { referenceOf } from "../pods/pod-control.js";
import type { CachedPod } from "../pods/pod-state.js";
import { actOnPods } from "./act-on-pods.js";
import {
  type CachedJob,
  externalManagerOf,
  isJobFinished,
  isTracked,
  jobKind,
  trackingFinalizer,
} from "./job-state.js";
import { type JobWork } from "./job-work.js";
import type { SyncAction } from "./metrics.js";
import { type JobPlan, planJob } from "./plan.js";
import { noFailures } from "./pod-backoff.js";
import { writeStatus } from "./write-status.js";

/** What one of the passes over a Job's pods takes. */
const microsPerPod = 2;

/** The cache that is waited for wakes its Job; this is for the case that it never does. */
const behindMs = 1000;

/** Brings the pods and the status of one Job in line with its spec. */
export async function reconcileJob(work: JobWork, key: string): Promise<WorkResult> {
  const { consistency, recorder, backoffs, finished } = work;
  const behind = consistency.behind(key);
  if (behind) {
    work.metrics.skipped(behind.resource.group, behind.resource.resource);
    return { requeueAfterMs: behindMs };
  }
  const job = work.jobByKey(key);
  if (!job) return forget(work, key);
  if (externalManagerOf(job) !== undefined) return;
  const uid = job.metadata?.uid ?? "";
  if (isJobFinished(job)) {
    backoffs.delete(key);
    consistency.clear(key, uid);
    finished.delete(uid);
    return;
  }
  if (finished.has(uid)) return;
  const mode = job.spec?.completionMode;
  if (mode !== undefined && mode !== "NonIndexed" && mode !== "Indexed") {
    const message = "Skipped Job sync because completion mode is unknown";
    recorder.event(referenceOf(job, jobKind), { type: "Warning", reason: "UnknownCompletionMode", message });
    return;
  }
  return sync(work, key, job);
}

function forget({ expectations, released, backoffs, consistency }: JobWork, key: string): void {
  expectations.forget(key);
  released.delete(key);
  backoffs.delete(key);
  consistency.clear(key);
}

/** Decides by caches, acts on pods, then writes the status: what was done is counted in any case. */
async function sync(work: JobWork, key: string, job: CachedJob): Promise<WorkResult> {
  const { clock, scheduler, expectations, released, backoffs, metrics } = work;
  const since = clock.monotonic();
  let action: SyncAction = "reconciling";
  let result: "success" | "error" = "error";
  try {
    const isSettled = expectations.isSatisfied(key);
    const pods = await claimPods(work, job);
    await scheduler.yield(pods.length * microsPerPod);
    const plan = planJob({
      job,
      pods,
      released: new Set(released.get(key)),
      isSettled,
      backoff: backoffs.get(key) ?? noFailures,
      now: clock.now(),
    });
    action = actionOf(plan);
    await scheduler.yield(pods.length * microsPerPod);
    const acted = await actOnPods(work, key, plan);
    await writeStatus(work, key, plan, acted);
    if (acted.error !== undefined) throw acted.error;
    result = "success";
    return plan.requeueAfterMs === undefined ? undefined : { requeueAfterMs: plan.requeueAfterMs };
  } finally {
    metrics.synced(job, { action, result, seconds: (clock.monotonic() - since) / 1000 });
  }
}

/** Pods that were just adopted have got the finalizer. */
async function claimPods({ client, podControl, podsOf }: JobWork, job: CachedJob): Promise<CachedPod[]> {
  const { namespace = "", name = "" } = job.metadata ?? {};
  const claimed = await claimObjects(podsOf(job), {
    controller: job,
    kind: jobKind,
    selector: selectorOf(job),
    finalizers: [trackingFinalizer],
    canAdopt: () => checkCanAdopt("Job", job, () => client.batch.v1.jobs(namespace).get(name)),
    patch: (pod, patch) => podControl.patch(pod, patch),
  });
  return claimed.map((pod) =>
    isControlledBy(pod, job) || isTracked(pod)
      ? pod
      : { ...pod, metadata: { ...pod.metadata, finalizers: withFinalizer(pod, trackingFinalizer) } },
  );
}

function actionOf({ pods: { kind } }: JobPlan): SyncAction {
  if (kind === "create" || kind === "wait") return "pods_created";
  if (kind === "remove") return "pods_deleted";
  return kind === "keep" ? "tracking" : "reconciling";
}
