import { keyOf } from "@coxswain/client/informers";
import { createItemBackoff } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { selectorOf } from "../controller/object-facts.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { runTogether } from "../controller/run-together.js";
import { mayAdopt } from "../pods/may-adopt.js";
import { podsByController, podsOfOwner } from "../pods/pods-of-owner.js";
import { type CachedJob, externalManagerOf, isJobFinished, isTracked, jobKind } from "./job-state.js";
import { createJobWork } from "./job-work.js";
import { createOrphanPods } from "./orphan-pods.js";
import { batchMs } from "./plan.js";
import { reconcileJob } from "./reconcile-job.js";
import { watchJobPods } from "./watch-job-pods.js";

/** Runs the pods of Jobs until enough of them have succeeded. */
export const jobController: Controller = {
  name: "job-controller",
  aliases: ["job"],
  serviceAccount: "job-controller",
  start(context) {
    const { informers, settings } = context;
    const jobs = informers.of("batch", "v1", "jobs");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByController });
    const work = createJobWork(context, { jobs: jobs.indexer, pods: pods.indexer });
    const { consistency, expectations, metrics, podControl, jobByKey } = work;
    const workers = settings.concurrency?.["job-controller"] ?? 5;
    const loop = createReconcileLoop(context, {
      name: "job",
      workers,
      rateLimiter: createItemBackoff({ baseMs: 1000, maxMs: 60_000 }),
      reconcile: (key) => reconcileJob(work, key),
    });
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
        work.finished.delete(job.metadata?.uid ?? "");
        work.backoffs.delete(keyOf(job));
        releaseAll(job);
        loop.queue.add(keyOf(job));
      },
    });
    watchJobPods(loop, pods, {
      jobByKey,
      mayAdopt: (pod) => mayAdopt(jobs.indexer, selectorOf, pod),
      expectations,
      released: (key, uid) => void work.released.get(key)?.delete(uid),
      orphaned: (pod) => orphans.queue.add(keyOf(pod)),
      wake: (key) => loop.queue.addAfter(key, batchMs),
      metrics,
    });

    return runTogether(loop, orphans);
  },
};
