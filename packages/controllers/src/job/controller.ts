import type { Job, JobStatus } from "@coxswain/api/batch/v1";
import { labelSelectorFromObject, type Selector } from "@coxswain/apimachinery/selector";
import { isNotFound } from "@coxswain/apimachinery/status";
import { claimObjects, createConsistencyStore, createExpectations, withFinalizer } from "@coxswain/client/controller";
import { keyOf } from "@coxswain/client/informers";
import { createItemBackoff, type WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { checkCanAdopt } from "../pods/can-adopt.js";
import { controllerRefOf, isControlledBy } from "../pods/controller-ref.js";
import { mayAdopt } from "../pods/may-adopt.js";
import { createPodControl, isNamespaceTerminating, referenceOf } from "../pods/pod-control.js";
import { type CachedPod, isPodReady } from "../pods/pod-state.js";
import { podsByController, podsOfOwner } from "../pods/pods-of-owner.js";
import { slowStart } from "../pods/slow-start.js";
import {
  type CachedJob,
  externalManagerOf,
  isJobFinished,
  isTracked,
  jobKind,
  trackingFinalizer,
} from "./job-state.js";
import { indexedTemplate, jobTemplate } from "./job-pod.js";
import { createJobMetrics, type SyncAction } from "./metrics.js";
import { createOrphanPods, releasePatch } from "./orphan-pods.js";
import { type BackoffRecord, noFailures } from "./pod-backoff.js";
import { batchMs, type JobPlan, type Outcome, planJob } from "./plan.js";
import { countReleased, finishStatus, planStatus, type PodsResult, type StatusPlan } from "./plan-status.js";
import { watchJobPods } from "./watch-job-pods.js";

/** The cache that is waited for wakes its Job; this is for the case that it never does. */
const behindMs = 1000;

/** Runs the pods of Jobs until enough of them have succeeded. */
export const jobController: Controller = {
  name: "job-controller",
  aliases: ["job"],
  serviceAccount: "job-controller",
  start(context) {
    const { client, informers, gates, settings } = context;
    const { clock } = context.runtime;
    const jobs = informers.of("batch", "v1", "jobs");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByController });
    const recorder = context.recorder("job-controller");
    const metrics = createJobMetrics(context.runtime.metrics);
    const podResource = { group: "", resource: "pods" };
    const jobResource = { group: "batch", resource: "jobs" };
    const consistency = createConsistencyStore(
      gates.enabled("StaleControllerConsistencyJob")
        ? [
            { resource: podResource, cache: pods.indexer },
            { resource: jobResource, cache: jobs.indexer },
          ]
        : [],
    );
    const clearsStartTime = gates.enabled("MutableSchedulingDirectivesForSuspendedJobs");
    const expectations = createExpectations({ clock });
    /** By key of the Job, UIDs of pods whose finalizer was removed and that the cache still shows with it. */
    const released = new Map<string, Set<string>>();
    const backoffs = new Map<string, BackoffRecord>();
    /** UIDs of Jobs that were written as finished, until the cache shows that too. */
    const finished = new Set<string>();
    const podControl = createPodControl({
      client,
      recorder,
      kind: jobKind,
      onWrite(pod) {
        const owner = controllerRefOf(pod);
        const { namespace, resourceVersion } = pod.metadata ?? {};
        if (owner && resourceVersion)
          consistency.wroteAt({ key: `${namespace}/${owner.name}`, uid: owner.uid }, podResource, resourceVersion);
      },
    });

    const workers = settings.concurrency?.["job-controller"] ?? 5;
    const loop = createReconcileLoop(context, {
      name: "job",
      workers,
      rateLimiter: createItemBackoff({ baseMs: 1000, maxMs: 60_000 }),
      reconcile,
    });
    const jobByKey = (key: string): CachedJob | undefined => jobs.indexer.getByKey(key);
    const orphans = createOrphanPods(context, {
      workers,
      podByKey: (key) => pods.indexer.getByKey(key),
      jobByKey,
      patch: (pod, patch) => podControl.patch(pod, patch),
    });
    const releaseAll = (job: CachedJob): void => {
      for (const pod of podsOfOwner(pods.indexer, job, jobKind.kind, { withOrphans: false }))
        if (isTracked(pod)) orphans.queue.add(keyOf(pod));
    };
    loop.handle(jobs, {
      onAdd(job) {
        loop.queue.add(keyOf(job));
        const manager = externalManagerOf(job);
        if (manager !== undefined) metrics.managedBy(manager);
      },
      onUpdate(old, job) {
        // No pod of it should have a finalizer by now; if one has, nobody else would remove it.
        if (isJobFinished(job)) releaseAll(job);
        if (old.metadata?.generation === job.metadata?.generation) loop.queue.addAfter(keyOf(job), batchMs);
        else loop.queue.add(keyOf(job));
      },
      onDelete(job) {
        consistency.clear(keyOf(job), job.metadata?.uid);
        finished.delete(job.metadata?.uid ?? "");
        backoffs.delete(keyOf(job));
        releaseAll(job);
        loop.queue.add(keyOf(job));
      },
    });
    watchJobPods(loop, pods, {
      jobByKey,
      mayAdopt: (pod) => mayAdopt(jobs.indexer, selectorOf, pod),
      expectations,
      released: (key, uid) => void released.get(key)?.delete(uid),
      orphaned: (pod) => orphans.queue.add(keyOf(pod)),
      wake: (key) => loop.queue.addAfter(key, batchMs),
      metrics,
    });

    async function reconcile(key: string): Promise<WorkResult> {
      const behind = consistency.behind(key);
      if (behind) {
        metrics.skipped(behind.resource.group, behind.resource.resource);
        return { requeueAfterMs: behindMs };
      }
      const job = jobs.indexer.getByKey(key);
      if (!job) {
        expectations.forget(key);
        released.delete(key);
        backoffs.delete(key);
        consistency.clear(key);
        return;
      }
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
      const since = clock.monotonic();
      let action: SyncAction = "reconciling";
      let result: "success" | "error" = "error";
      try {
        const isSettled = expectations.isSatisfied(key);
        const plan = planJob({
          job,
          pods: await claimPods(job),
          released: new Set(released.get(key)),
          isSettled,
          backoff: backoffs.get(key) ?? noFailures,
          now: clock.now(),
        });
        action = actionOf(plan);
        const acted = await actOnPods(key, plan);
        await writeStatus(key, plan, acted);
        if (acted.error !== undefined) throw acted.error;
        result = "success";
        return plan.requeueAfterMs === undefined ? undefined : { requeueAfterMs: plan.requeueAfterMs };
      } finally {
        metrics.synced(job, { action, result, seconds: (clock.monotonic() - since) / 1000 });
      }
    }

    /** What is active, ready and terminating afterwards. */
    async function actOnPods(key: string, plan: JobPlan): Promise<PodsResult & { readonly error?: unknown }> {
      const { inputs, active, ready, terminating } = plan;
      const before = { active: active.length, ready, terminating, isDone: true };
      switch (plan.pods.kind) {
        case "hold":
        case "keep":
        case "wait":
          return before;
        case "create":
          return { ...before, ...(await createPods(key, plan, plan.pods)) };
        case "end":
        case "remove": {
          const isCounted = plan.pods.kind === "end";
          if (!isCounted) expectations.expectDeletions(key, plan.pods.pods.map(uidOf));
          const { removed, error } = await deletePods(key, inputs.job, plan.pods.pods, isCounted);
          return {
            active: active.length - removed.length,
            ready: ready - removed.filter(isPodReady).length,
            terminating: terminating + removed.length,
            isDone: removed.length === plan.pods.pods.length,
            ...(error !== undefined && { error }),
          };
        }
      }
    }

    async function createPods(
      key: string,
      plan: JobPlan,
      { count, indexes }: { readonly count: number; readonly indexes?: readonly number[] },
    ): Promise<{ readonly active: number; readonly error?: unknown }> {
      const { job } = plan.inputs;
      const template = jobTemplate(job);
      expectations.expectCreations(key, count);
      let [ignored, failed] = [0, 0];
      const { successes, error } = await slowStart(count, async (position) => {
        const index = indexes?.[position];
        try {
          if (index === undefined) return await podControl.create(job, template);
          const pod = indexedTemplate(job, index, plan.replaceable.get(index));
          return await podControl.create(job, pod.template, { generateName: pod.generateName });
        } catch (failure) {
          if (!isNamespaceTerminating(failure)) {
            failed++;
            throw failure;
          }
          // Every creation in it fails, and the namespace takes the Job with it.
          ignored++;
          return undefined;
        }
      });
      for (let skipped = successes; skipped < count; skipped++) expectations.creationObserved(key);
      metrics.created(creationReason(plan), { succeeded: successes - ignored, failed });
      return { active: plan.active.length + successes, ...(error !== undefined && { error }) };
    }

    /** Those that do not count lose their finalizer first. */
    async function deletePods(
      key: string,
      job: CachedJob,
      victims: readonly CachedPod[],
      isCounted: boolean,
    ): Promise<{ readonly removed: readonly CachedPod[]; readonly error?: unknown }> {
      const failures: unknown[] = [];
      const removed: CachedPod[] = [];
      await Promise.all(
        victims.map(async (pod) => {
          try {
            if (!isCounted && isTracked(pod)) await podControl.patch(pod, releasePatch);
            await podControl.delete(job, pod);
            removed.push(pod);
          } catch (error) {
            expectations.deletionObserved(key, uidOf(pod));
            if (isNotFound(error)) removed.push(pod);
            else failures.push(error);
          }
        }),
      );
      return { removed, ...(failures.length > 0 && { error: failures[0] }) };
    }

    /**
     * First the status, with the UIDs of the pods that are to be counted; then their finalizers; then the status with the pods
     * counted. Whatever it is ended between, no pod is counted twice or never.
     */
    async function writeStatus(key: string, plan: JobPlan, acted: PodsResult): Promise<void> {
      const { now } = plan.inputs;
      const next = planStatus(plan, acted, { clearsStartTime });
      reportTransition(plan.inputs.job, next);
      let job: CachedJob = { ...plan.inputs.job, status: next.status };
      if (next.isChanged) {
        const before = plan.inputs.job.status ?? {};
        job = await storeStatus(key, job);
        backoffs.set(key, plan.backoff);
        metrics.counted(job, before, job.status ?? {});
      }
      metrics.policyActions(next.policyActions);
      const { stillTracked, error } = await releasePods(key, next);
      const counted = countReleased(job.status ?? {}, stillTracked);
      const final =
        next.outcome && error === undefined
          ? finishStatus(counted, { outcome: next.outcome, terminating: acted.terminating, now })
          : undefined;
      if (final !== undefined || counted !== (job.status ?? counted)) {
        const written = await storeStatus(key, { ...job, status: final ?? counted });
        metrics.counted(job, job.status ?? {}, written.status ?? {});
        if (final && next.outcome) reportFinished(written, next.outcome);
      }
      if (error !== undefined) throw error;
    }

    async function storeStatus(key: string, job: CachedJob): Promise<CachedJob> {
      const { namespace = "", uid = "" } = job.metadata ?? {};
      const status = job.status as JobStatus;
      const written = await client.batch.v1.jobs(namespace).updateStatus({ ...(job as Job), status });
      consistency.wroteAt({ key, uid }, jobResource, written.metadata?.resourceVersion ?? "");
      return written;
    }

    /** Answers the UIDs of the pods that kept their finalizer. */
    async function releasePods(
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

    function reportTransition(job: CachedJob, { transition }: StatusPlan): void {
      if (transition === undefined) return;
      const message = transition === "Suspended" ? "Job suspended" : "Job resumed";
      recorder.event(referenceOf(job, jobKind), { type: "Normal", reason: transition, message });
    }

    function reportFinished(job: CachedJob, outcome: Outcome): void {
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

    /** Pods that were just adopted have got the finalizer. */
    async function claimPods(job: CachedJob): Promise<CachedPod[]> {
      const { namespace = "", name = "" } = job.metadata ?? {};
      const claimed = await claimObjects(podsOfOwner(pods.indexer, job, jobKind.kind), {
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

    return {
      run() {
        loop.run();
        orphans.run();
      },
      async stop() {
        await Promise.all([loop.stop(), orphans.stop()]);
      },
    };
  },
};

const uidOf = ({ metadata }: CachedPod): string => metadata?.uid ?? "";

const selectorOf = ({ spec }: CachedJob): Selector => labelSelectorFromObject(spec?.selector);

function actionOf({ pods: { kind } }: JobPlan): SyncAction {
  if (kind === "create" || kind === "wait") return "pods_created";
  if (kind === "remove") return "pods_deleted";
  return kind === "keep" ? "tracking" : "reconciling";
}

/** The label of the metric: why pods are created. */
function creationReason({ inputs: { job }, failed, terminating }: JobPlan): string {
  if (job.spec?.podReplacementPolicy === "Failed" && failed > 0) return "recreate_failed";
  return failed > 0 || terminating > 0 ? "recreate_terminating_or_failed" : "new";
}
