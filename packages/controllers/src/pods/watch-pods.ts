import { equalJson } from "@coxswain/apimachinery/json";
import type { Expectations } from "@coxswain/client/controller";
import { keyOf, type SharedIndexInformer } from "@coxswain/client/informers";
import type { ReconcileLoop } from "../controller/reconcile-loop.js";
import { controllerRefOf } from "./controller-ref.js";
import { type CachedPod, isBeingDeleted, isPodReady } from "./pod-state.js";
import type { PodOwner } from "./pods-of-owner.js";

export interface WatchPodsOptions<T extends PodOwner> {
  /** Of the owners. */
  readonly kind: string;
  /** From the cache, by "namespace/name". */
  readonly ownerByKey: (key: string) => T | undefined;
  /** The owners whose selectors match a pod that has no controller. */
  readonly mayAdopt: (pod: CachedPod) => readonly T[];
  /** Called for every creation and deletion that the cache sees. */
  readonly expectations?: Expectations;
  /** How long a pod must be ready to be available: its owner looks again then. */
  readonly minReadySeconds: (owner: T) => number;
}

/**
 * Wakes the owner of each pod that changes, the former owner too when it changed, and the owners that may adopt a pod without
 * one. A pod that is being deleted counts as gone, so that its replacement need not wait for the end of its grace period.
 */
export function watchPods<T extends PodOwner>(
  loop: ReconcileLoop,
  pods: SharedIndexInformer<CachedPod>,
  options: WatchPodsOptions<T>,
): void {
  const { expectations, minReadySeconds } = options;
  /** Only this very owner: a namesake made later is another one. */
  const ownerOf = (pod: CachedPod): { readonly key: string; readonly owner: T } | undefined => {
    const reference = controllerRefOf(pod);
    if (reference?.kind !== options.kind) return undefined;
    const key = `${pod.metadata?.namespace}/${reference.name}`;
    const owner = options.ownerByKey(key);
    return owner?.metadata?.uid === reference.uid && owner !== undefined ? { key, owner } : undefined;
  };
  const wakeAdopters = (pod: CachedPod): void => {
    for (const owner of options.mayAdopt(pod)) loop.queue.add(keyOf(owner));
  };
  const deleted = (pod: CachedPod): void => {
    const found = ownerOf(pod);
    if (!found) return;
    expectations?.deletionObserved(found.key, pod.metadata?.uid ?? "");
    loop.queue.add(found.key);
  };
  loop.handle(pods, {
    onAdd(pod) {
      // After a restart a pod may show up that is already being deleted.
      if (isBeingDeleted(pod)) return deleted(pod);
      if (controllerRefOf(pod) === undefined) return wakeAdopters(pod);
      const found = ownerOf(pod);
      if (!found) return;
      expectations?.creationObserved(found.key);
      loop.queue.add(found.key);
    },
    onUpdate(old, pod) {
      if (old.metadata?.resourceVersion === pod.metadata?.resourceVersion) return;
      const haveLabelsChanged = !equalJson(old.metadata?.labels, pod.metadata?.labels);
      if (isBeingDeleted(pod)) {
        deleted(pod);
        if (haveLabelsChanged) deleted(old);
        return;
      }
      const hasOwnerChanged = !equalJson(controllerRefOf(old), controllerRefOf(pod));
      const former = hasOwnerChanged ? ownerOf(old) : undefined;
      if (former) loop.queue.add(former.key);
      if (controllerRefOf(pod) === undefined) {
        if (haveLabelsChanged || hasOwnerChanged) wakeAdopters(pod);
        return;
      }
      const found = ownerOf(pod);
      if (!found) return;
      loop.queue.add(found.key);
      const seconds = minReadySeconds(found.owner);
      if (seconds > 0 && !isPodReady(old) && isPodReady(pod)) loop.queue.addAfter(found.key, seconds * 1000);
    },
    onDelete: deleted,
  });
}
