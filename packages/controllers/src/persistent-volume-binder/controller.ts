import { equalJson } from "@coxswain/apimachinery/json";
import { keyOf } from "@coxswain/client/informers";
import type { WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { hasPodStopped } from "../pods/pod-state.js";
import { hostPathsOfThisMachine } from "../settings/host-paths.js";
import type { CachedVolume } from "../volumes/cached-volumes.js";
import { createNewestObjects } from "../volumes/newest-objects.js";
import { claimKeysOf, podClaimIndex, podsByClaim } from "../volumes/pod-claims.js";
import { classOfClaim, classOfVolume, defaultClass, isDefaultClass } from "../volumes/storage-class.js";
import { createBinderWrites } from "./bind.js";
import {
  claimIndexers,
  claimsByVolume,
  freeVolumesByClass,
  unboundClaimsByClass,
  volumeIndexers,
  volumesByClaim,
} from "./indexes.js";
import { createBinderMetrics } from "./metrics.js";
import { createRecycler } from "./recycle.js";
import { volumeOfRecycler } from "./recycler-pod.js";
import { createClaimSync } from "./sync-claim.js";
import { createVolumeSync } from "./sync-volume.js";

/** As upstream's --pvclaimbinder-sync-period (pkg/controller/volume/persistentvolume/config/v1alpha1/defaults.go, PVClaimBinderSyncPeriod): how often what failed, or waits for people, is looked at again. */
const defaultSyncPeriodMs = 15_000;

/**
 * Binds claims to volumes and reclaims volumes whose claims are gone.
 *
 * Upstream looks at every claim and volume each 15 s. Here each is woken by what it may wait for: claims by volumes that
 * become free and by classes, volumes by claims and by the pods that empty them.
 */
export const persistentVolumeBinderController: Controller = {
  name: "persistentvolume-binder-controller",
  aliases: ["persistentvolume-binder"],
  serviceAccount: "persistent-volume-binder",
  start(context) {
    const { client, informers, settings } = context;
    const claims = informers.of("core", "v1", "persistentvolumeclaims", { indexers: claimIndexers });
    const volumes = informers.of("core", "v1", "persistentvolumes", { indexers: volumeIndexers });
    const classes = informers.of("storage", "v1", "storageclasses");
    const pods = informers.of("core", "v1", "pods", { indexers: podsByClaim });
    const nodes = informers.of("core", "v1", "nodes");
    const newest = { claims: createNewestObjects(claims.indexer), volumes: createNewestObjects(volumes.indexer) };
    const retryMs = settings.claimBinderSyncPeriodMs ?? defaultSyncPeriodMs;
    const shared = {
      context,
      metrics: createBinderMetrics(context.runtime.metrics, {
        volumes: () => volumes.indexer.list(),
        claims: () => claims.indexer.list(),
      }),
      writes: createBinderWrites(client, newest),
      hostPaths: settings.hostPaths ?? hostPathsOfThisMachine,
    };
    const recycler = createRecycler(context, (key) => pods.indexer.getByKey(key), settings.volumeRecycler);
    const podsUsing = (claimKey: string) =>
      pods.indexer.byIndex(podClaimIndex, claimKey).filter((pod) => !hasPodStopped(pod));

    const syncClaim = createClaimSync({
      ...shared,
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
    });
    const syncVolume = createVolumeSync({
      ...shared,
      recycler,
      claimByKey: (key) => newest.claims.get(key),
      podsUsing: (key) => podsUsing(key).map(keyOf).sort(),
      wakeClaim: (key) => claimLoop.queue.add(key),
      retryMs,
    });
    // One worker each: two claims that are looked at at once would choose the same volume.
    const claimLoop = createReconcileLoop(context, {
      name: "claims",
      workers: 1,
      async reconcile(key): Promise<void> {
        const claim = newest.claims.get(key);
        if (claim) await syncClaim(claim);
      },
    });
    const volumeLoop = createReconcileLoop(context, {
      name: "volumes",
      workers: 1,
      async reconcile(name): Promise<WorkResult> {
        const volume = newest.volumes.get(name);
        if (volume) return syncVolume(volume);
        recycler.forget(name);
      },
    });

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

    return {
      run() {
        claimLoop.run();
        volumeLoop.run();
      },
      async stop() {
        await Promise.all([claimLoop.stop(), volumeLoop.stop()]);
        await recycler.stop();
      },
    };
  },
};

/** Whether the change may let a claim have the volume, or lose it. */
function concernsClaims(volume: CachedVolume, old: CachedVolume): boolean {
  return (
    volume.status?.phase !== old.status?.phase ||
    volume.metadata?.deletionTimestamp !== old.metadata?.deletionTimestamp ||
    !equalJson(volume.spec, old.spec) ||
    !equalJson(volume.metadata?.labels, old.metadata?.labels)
  );
}
