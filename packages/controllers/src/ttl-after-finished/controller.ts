import { splitObjectKey } from "@coxswain/apimachinery/meta";
import { isNotFound } from "@coxswain/apimachinery/status";
import { keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import { exponentialBuckets } from "@coxswain/runtime/metrics";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { expiryOf } from "./plan.js";

/** Deletes Jobs some time after they are over, if they have a TTL. */
export const ttlAfterFinishedController: Controller = {
  name: "ttl-after-finished-controller",
  aliases: ["ttl-after-finished"],
  serviceAccount: "ttl-after-finished-controller",
  start(context) {
    const { client, informers, settings } = context;
    const { clock } = context.runtime;
    const jobs = informers.of("batch", "v1", "jobs");
    const deletionDelay = context.runtime.metrics.histogram({
      name: "ttl_after_finished_controller_job_deletion_duration_seconds",
      help: "The time it took to delete the job since it became eligible for deletion",
      stability: "ALPHA",
      buckets: exponentialBuckets(0.1, 2, 14),
    });
    const loop = createReconcileLoop(context, {
      name: "ttl_jobs_to_delete",
      workers: settings.concurrency?.["ttl-after-finished-controller"] ?? 5,
      async reconcile(key): Promise<WorkResult> {
        const job = jobs.indexer.getByKey(key);
        const expiry = job && expiryOf(job);
        if (expiry === undefined) return;
        if (expiry > clock.now()) return { requeueAfterMs: expiry - clock.now() };
        return deleteJob(key);
      },
    });
    loop.watchFor(jobs, (job) => (job.spec?.ttlSecondsAfterFinished === undefined ? [] : [keyOf(job)]));

    /** As the server knows it: somebody may have given the Job more time. */
    async function deleteJob(key: string): Promise<WorkResult> {
      const { namespace = "", name = "" } = splitObjectKey(key) ?? {};
      try {
        const job = await client.batch.v1.jobs(namespace).get(name);
        const expiry = expiryOf(job);
        if (expiry === undefined) return;
        if (expiry > clock.now()) return { requeueAfterMs: expiry - clock.now() };
        const { uid = "" } = job.metadata ?? {};
        await client.batch.v1.jobs(namespace).delete(name, { propagationPolicy: "Foreground", preconditions: { uid } });
        deletionDelay.with().observe((clock.now() - expiry) / 1000);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    }
    return loop;
  },
};
