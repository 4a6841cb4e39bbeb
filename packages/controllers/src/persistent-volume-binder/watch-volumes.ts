import { equalJson } from "@coxswain/apimachinery/json";
import { keyOf } from "@coxswain/client/informers";
import type { ReconcileLoop } from "../controller/reconcile-loop.js";
import type { CachedVolume } from "../volumes/cached-volumes.js";
import { claimKeysOf } from "../volumes/pod-claims.js";
import { classOfVolume, isDefaultClass } from "../volumes/storage-class.js";
import type { BinderCaches } from "./binder-work.js";
import { claimsByVolume, unboundClaimsByClass } from "./indexes.js";
import { volumeOfRecycler } from "./recycler-pod.js";

export interface BinderLoops {
  readonly claimLoop: ReconcileLoop;
  readonly volumeLoop: ReconcileLoop;
  /** When what waits for people, or for the scheduler, is looked at again. */
  readonly retryMs: number;
}

/** Wakes claims and volumes by what each may wait for. */
export function watchVolumes(
  { claims, volumes, classes, pods }: BinderCaches,
  { claimLoop, volumeLoop, retryMs }: BinderLoops,
): void {
  const wakeUnbound = (className: string): void => {
    for (const claim of claims.indexer.byIndex(unboundClaimsByClass, className)) claimLoop.queue.add(keyOf(claim));
  };
  claimLoop.watch(claims);
  volumeLoop.watchFor(claims, ({ spec }, old) => [spec?.volumeName || old?.spec?.volumeName]);
  volumeLoop.watch(volumes);
  claimLoop.watchFor(volumes, (volume, old) =>
    old && !concernsClaims(volume, old)
      ? []
      : [
          ...claims.indexer.byIndex(claimsByVolume, keyOf(volume)).map(keyOf),
          volume.spec?.claimRef && `${volume.spec.claimRef.namespace}/${volume.spec.claimRef.name}`,
        ],
  );
  claimLoop.handle(volumes, {
    onAdd: (volume) => wakeForFree(volume),
    onUpdate: (old, volume) => {
      if (concernsClaims(volume, old)) wakeForFree(volume);
    },
  });
  function wakeForFree(volume: CachedVolume): void {
    if (volume.status?.phase === "Available" && !volume.spec?.claimRef) wakeUnbound(classOfVolume(volume));
  }
  claimLoop.watchFor(classes, (each) => {
    wakeUnbound(each.metadata?.name ?? "");
    if (isDefaultClass(each)) wakeUnbound("");
    return [];
  });
  claimLoop.handle(pods, {
    // Later, to name the pods that a claim waits with: mostly the scheduler has chosen a node by then.
    onAdd(pod) {
      if (!pod.spec?.nodeName) for (const key of claimKeysOf(pod)) claimLoop.queue.addAfter(key, retryMs);
    },
  });
  volumeLoop.watchFor(pods, (pod) => [volumeOfRecycler(pod)]);
}

/** Whether the change may let a claim have the volume, or lose it. */
function concernsClaims(volume: CachedVolume, old: CachedVolume): boolean {
  return (
    volume.status?.phase !== old.status?.phase ||
    volume.metadata?.deletionTimestamp !== old.metadata?.deletionTimestamp ||
    !equalJson(volume.spec, old.spec) ||
    !equalJson(volume.metadata?.labels, old.metadata?.labels)
  );
}
