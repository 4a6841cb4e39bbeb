import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import { isNotFound } from "@coxswain/apimachinery/status";
import { createItemBackoff } from "@coxswain/client/queue";
import type { ControllerContext } from "../controller/controller.js";
import { createReconcileLoop, type ReconcileLoop } from "../controller/reconcile-loop.js";
import { controllerRefOf } from "../pods/controller-ref.js";
import type { CachedPod } from "../pods/pod-state.js";
import {
  type CachedJob,
  externalManagerOf,
  isJobFinished,
  isTracked,
  jobKind,
  trackingFinalizer,
} from "./job-state.js";

export interface OrphanPodsOptions {
  readonly workers: number;
  readonly podByKey: (key: string) => CachedPod | undefined;
  readonly jobByKey: (key: string) => CachedJob | undefined;
  /** Sends a strategic merge patch. */
  readonly patch: (pod: CachedPod, patch: object) => Promise<unknown>;
}

/** A queue of keys of pods that lose their finalizer, since no Job will count them. */
export function createOrphanPods(context: ControllerContext, options: OrphanPodsOptions): ReconcileLoop {
  return createReconcileLoop(context, {
    name: "job_orphan_pod",
    workers: options.workers,
    rateLimiter: createItemBackoff({ baseMs: 1000, maxMs: 60_000 }),
    async reconcile(key) {
      const pod = options.podByKey(key);
      if (!pod || !isTracked(pod)) return;
      const owner = controllerRefOf(pod);
      if (owner) {
        if (owner.kind !== jobKind.kind || owner.apiVersion !== formatGroupVersion(jobKind)) return;
        const job = options.jobByKey(`${pod.metadata?.namespace}/${owner.name}`);
        // Adopted meanwhile, or another controller's.
        if (job?.metadata?.uid === owner.uid && job && (externalManagerOf(job) !== undefined || !isJobFinished(job)))
          return;
      }
      try {
        await options.patch(pod, releasePatch);
      } catch (error) {
        if (!isNotFound(error)) throw error;
      }
    },
  });
}

/** Takes the finalizer from a pod. */
export const releasePatch = { metadata: { "$deleteFromPrimitiveList/finalizers": [trackingFinalizer] } };
