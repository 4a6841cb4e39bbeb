import { equalJson } from "@coxswain/apimachinery/json";
import type { Expectations } from "@coxswain/client/controller";
import { keyOf, type SharedIndexInformer } from "@coxswain/client/informers";
import type { ReconcileLoop } from "../controller/reconcile-loop.js";
import { controllerRefOf } from "../pods/controller-ref.js";
import { type CachedPod, isBeingDeleted } from "../pods/pod-state.js";
import { type CachedJob, isJobFinished, isTracked, jobKind } from "./job-state.js";
import type { JobMetrics } from "./metrics.js";

export interface WatchJobPodsOptions {
  readonly jobByKey: (key: string) => CachedJob | undefined;
  readonly mayAdopt: (pod: CachedPod) => readonly CachedJob[];
  readonly expectations: Expectations;
  /** The cache has seen that a pod of this Job has no finalizer any more. */
  readonly released: (jobKey: string, uid: string) => void;
  /** A pod has a finalizer that no Job will remove. */
  readonly orphaned: (pod: CachedPod) => void;
  /** Wakes a Job, after the time in which changes of its pods are gathered. */
  readonly wake: (jobKey: string) => void;
  readonly metrics: JobMetrics;
}

/** Wakes the Job of each pod that changes, and notes what became of finalizers. */
export function watchJobPods(
  loop: ReconcileLoop,
  pods: SharedIndexInformer<CachedPod>,
  options: WatchJobPodsOptions,
): void {
  const { expectations, released, orphaned, wake, metrics } = options;
  const jobOf = (pod: CachedPod): { readonly key: string; readonly job: CachedJob } | undefined => {
    const reference = controllerRefOf(pod);
    if (reference?.kind !== jobKind.kind) return undefined;
    const key = `${pod.metadata?.namespace}/${reference.name}`;
    const job = options.jobByKey(key);
    return job?.metadata?.uid === reference.uid && job ? { key, job } : undefined;
  };
  const wakeAdopters = (pod: CachedPod): void => {
    for (const job of options.mayAdopt(pod)) wake(keyOf(job));
  };
  /** `isGone`: not only marked. */
  const deleted = (pod: CachedPod, isGone: boolean): void => {
    const found = jobOf(pod);
    if (controllerRefOf(pod) === undefined || found === undefined || isJobFinished(found.job)) {
      if (isTracked(pod)) orphaned(pod);
      return;
    }
    const uid = pod.metadata?.uid ?? "";
    expectations.deletionObserved(found.key, uid);
    if (isGone || !isTracked(pod)) released(found.key, uid);
    wake(found.key);
  };
  loop.handle(pods, {
    onAdd(pod) {
      metrics.podChanged(undefined, pod);
      // After a restart a pod may show up that is already being deleted.
      if (isBeingDeleted(pod)) return deleted(pod, false);
      if (controllerRefOf(pod) === undefined) {
        if (isTracked(pod)) orphaned(pod);
        return wakeAdopters(pod);
      }
      const found = jobOf(pod);
      if (!found) return;
      expectations.creationObserved(found.key);
      wake(found.key);
    },
    onUpdate(old, pod) {
      metrics.podChanged(old, pod);
      if (old.metadata?.resourceVersion === pod.metadata?.resourceVersion) return;
      if (isBeingDeleted(pod)) return deleted(pod, false);
      const hasOwnerChanged = !equalJson(controllerRefOf(old), controllerRefOf(pod));
      // The finalizer may have come and gone between the two states.
      for (const found of [hasOwnerChanged ? jobOf(old) : undefined, jobOf(pod)]) {
        if (!found) continue;
        if (!isTracked(pod)) released(found.key, pod.metadata?.uid ?? "");
        wake(found.key);
      }
      if (controllerRefOf(pod) !== undefined) return;
      if (isTracked(pod)) orphaned(pod);
      if (hasOwnerChanged || !equalJson(old.metadata?.labels, pod.metadata?.labels)) wakeAdopters(pod);
    },
    onDelete(pod) {
      metrics.podChanged(pod, undefined);
      deleted(pod, true);
    },
  });
}
