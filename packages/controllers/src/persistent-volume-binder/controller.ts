import type { WorkResult } from "@coxswain/client/queue";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { createBinderCaches, createBinderWork } from "./binder-work.js";
import { syncClaim } from "./sync-claim.js";
import { syncVolume } from "./sync-volume.js";
import { watchVolumes } from "./watch-volumes.js";

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
    const caches = createBinderCaches(context);
    const retryMs = context.settings.claimBinderSyncPeriodMs ?? defaultSyncPeriodMs;
    const { claimSync, volumeSync, recycler } = createBinderWork(context, caches, {
      retryMs,
      wakeClaim: (key) => claimLoop.queue.add(key),
    });
    // One worker each: two claims that are looked at at once would choose the same volume.
    const claimLoop = createReconcileLoop(context, {
      name: "claims",
      workers: 1,
      async reconcile(key): Promise<void> {
        const claim = caches.newest.claims.get(key);
        if (claim) await syncClaim(claimSync, claim);
      },
    });
    const volumeLoop = createReconcileLoop(context, {
      name: "volumes",
      workers: 1,
      async reconcile(name): Promise<WorkResult> {
        const volume = caches.newest.volumes.get(name);
        if (volume) return syncVolume(volumeSync, volume);
        recycler.forget(name);
      },
    });

    watchVolumes(caches, { claimLoop, volumeLoop, retryMs });

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
