import { keyOf } from "@coxswain/client/informers";
import type { ControllerContext } from "../controller/controller.js";
import { hasPodStopped } from "../pods/pod-state.js";
import { hostPathsOfThisMachine } from "../settings/host-paths.js";
import { createNewestObjects } from "../volumes/newest-objects.js";
import { podClaimIndex, podsByClaim } from "../volumes/pod-claims.js";
import { classOfClaim, defaultClass } from "../volumes/storage-class.js";
import { createBinderWrites } from "./bind.js";
import { claimIndexers, freeVolumesByClass, volumeIndexers, volumesByClaim } from "./indexes.js";
import { createBinderMetrics } from "./metrics.js";
import { createRecycler, type Recycler } from "./recycle.js";
import type { ClaimSync } from "./sync-claim.js";
import type { VolumeSync } from "./sync-volume.js";

/** The objects that bindings depend on. What was written is in `newest` before the caches show it. */
export type BinderCaches = ReturnType<typeof createBinderCaches>;

export function createBinderCaches({ informers }: ControllerContext) {
  const claims = informers.of("core", "v1", "persistentvolumeclaims", { indexers: claimIndexers });
  const volumes = informers.of("core", "v1", "persistentvolumes", { indexers: volumeIndexers });
  return {
    claims,
    volumes,
    classes: informers.of("storage", "v1", "storageclasses"),
    pods: informers.of("core", "v1", "pods", { indexers: podsByClaim }),
    nodes: informers.of("core", "v1", "nodes"),
    newest: { claims: createNewestObjects(claims.indexer), volumes: createNewestObjects(volumes.indexer) },
  };
}

/** With what claims and volumes are brought together. */
export function createBinderWork(
  context: ControllerContext,
  { claims, volumes, classes, pods, nodes, newest }: BinderCaches,
  { retryMs, wakeClaim }: Pick<VolumeSync, "retryMs" | "wakeClaim">,
): { readonly claimSync: ClaimSync; readonly volumeSync: VolumeSync; readonly recycler: Recycler } {
  const { client, settings, runtime } = context;
  const shared = {
    client,
    recorder: context.recorder("persistentvolume-controller"),
    metrics: createBinderMetrics(runtime.metrics, {
      volumes: () => volumes.indexer.list(),
      claims: () => claims.indexer.list(),
    }),
    writes: createBinderWrites(client, newest),
    hostPaths: settings.hostPaths ?? hostPathsOfThisMachine,
  };
  const recycler = createRecycler(context, (key) => pods.indexer.getByKey(key), settings.volumeRecycler);
  const podsUsing = (claimKey: string) =>
    pods.indexer.byIndex(podClaimIndex, claimKey).filter((pod) => !hasPodStopped(pod));

  const claimSync: ClaimSync = {
    ...shared,
    settings,
    runtime,
    volumeByName: (name) => newest.volumes.get(name),
    candidates: (claim) =>
      [
        ...volumes.indexer.byIndex(volumesByClaim, keyOf(claim)),
        ...volumes.indexer.byIndex(freeVolumesByClass, classOfClaim(claim)),
      ].map((volume) => newest.volumes.get(keyOf(volume)) ?? volume),
    storageClassOf: (claim) => classes.indexer.getByKey(classOfClaim(claim)),
    defaultClass: () => defaultClass(classes.indexer.list()),
    waitingPods: (claim) =>
      podsUsing(keyOf(claim))
        .filter(({ spec }) => !spec?.nodeName)
        .map(({ metadata }) => metadata?.name ?? ""),
    hasNode: (name) => nodes.indexer.getByKey(name) !== undefined,
  };
  const volumeSync: VolumeSync = {
    ...shared,
    recycler,
    claimByKey: (key) => newest.claims.get(key),
    podsUsing: (key) => podsUsing(key).map(keyOf).sort(),
    wakeClaim,
    retryMs,
  };
  return { claimSync, volumeSync, recycler };
}
