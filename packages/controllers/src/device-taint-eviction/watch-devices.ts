import { equalJson } from "@coxswain/apimachinery/json";
import type { SharedIndexInformer } from "@coxswain/client/informers";
import { keyOf } from "@coxswain/client/informers";
import type { ReconcileLoop } from "../controller/reconcile-loop.js";
import type { CachedPod } from "../pods/pod-state.js";
import { type CachedResourceClaim, isForGroup, isForPods } from "../resource-claims/claim-user.js";
import { devicePoolIndex, podGroupIndex, poolKey } from "../resource-claims/indexes.js";
import { type CachedSlice, evictingTaintsOf } from "./plan.js";

/** The objects by which pods lose their devices. */
export interface WatchedDevices {
  readonly loop: ReconcileLoop;
  readonly hasGroups: boolean;
  readonly pods: SharedIndexInformer<CachedPod>;
  readonly claims: SharedIndexInformer<CachedResourceClaim>;
  readonly slices: SharedIndexInformer<CachedSlice>;
  /** By pool: what made pods leave when it was last looked at. */
  readonly taints: Map<string, unknown[]>;
}

const poolOf = ({ spec }: CachedSlice): string => poolKey(spec.driver, spec.pool.name);
export const slicePoolIndex = "slicePool";
export const slicesByPool = { [slicePoolIndex]: (slice: CachedSlice) => [poolOf(slice)] };

/** Wakes the pods whose devices changed. */
export function watchDevices(watched: WatchedDevices, onPodDeleted: (key: string) => void): void {
  const { loop, pods, claims, slices } = watched;
  loop.handle(pods, {
    onAdd: (pod) => (pod.spec?.resourceClaims?.length ? wakePod(watched, pod) : undefined),
    onUpdate(old, pod) {
      const isSame =
        old.spec?.nodeName === pod.spec?.nodeName &&
        equalJson(old.status?.resourceClaimStatuses, pod.status?.resourceClaimStatuses);
      if (!isSame && pod.spec?.resourceClaims?.length) wakePod(watched, pod);
    },
    onDelete: (pod) => onPodDeleted(keyOf(pod)),
  });
  loop.handle(claims, {
    onAdd: (claim) => wakeUsersOf(watched, claim),
    onUpdate(old, claim) {
      if (!equalJson(old.status?.reservedFor, claim.status?.reservedFor)) wakeUsersOf(watched, old);
      wakeUsersOf(watched, claim);
    },
    onDelete: (claim) => wakeUsersOf(watched, claim),
  });
  loop.watchFor(slices, (slice) => {
    wakePool(watched, slice);
    return [];
  });
}

const wakePod = ({ loop }: WatchedDevices, pod: CachedPod): void => loop.queue.add(`pod:${keyOf(pod)}`);

export function wakeUsersOf(watched: WatchedDevices, { metadata, status }: CachedResourceClaim): void {
  for (const consumer of status?.reservedFor ?? []) {
    const key = `${metadata?.namespace}/${consumer.name}`;
    if (isForPods(consumer)) watched.loop.queue.add(`pod:${key}`);
    else if (watched.hasGroups && isForGroup(consumer))
      watched.pods.indexer.byIndex(podGroupIndex, key).forEach((pod) => wakePod(watched, pod));
  }
}

function wakePool(watched: WatchedDevices, slice: CachedSlice): void {
  const pool = poolOf(slice);
  const there = watched.slices.indexer.byIndex(slicePoolIndex, pool);
  const now = there.length > 0 ? evictingTaintsOf(there) : [];
  if (equalJson(watched.taints.get(pool) ?? [], now)) return;
  if (now.length > 0) watched.taints.set(pool, now);
  else watched.taints.delete(pool);
  for (const claim of watched.claims.indexer.byIndex(devicePoolIndex, pool)) wakeUsersOf(watched, claim);
}
