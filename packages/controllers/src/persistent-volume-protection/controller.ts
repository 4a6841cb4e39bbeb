import type { PersistentVolume } from "@coxswain/api/core/v1";
import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { needsProtectionWork, planProtection } from "../protection/plan.js";

const finalizer = "kubernetes.io/pv-protection";

/** Keeps a PersistentVolume that is being deleted until no claim is bound to it. */
export const persistentVolumeProtectionController: Controller = {
  name: "persistentvolume-protection-controller",
  aliases: ["pv-protection"],
  serviceAccount: "pv-protection-controller",
  start(context) {
    const { client, informers } = context;
    const volumes = informers.of("core", "v1", "persistentvolumes");
    const loop = createReconcileLoop(context, {
      name: "pvprotection",
      workers: 1,
      async reconcile(name) {
        const volume = volumes.indexer.getByKey(name);
        const finalizers = volume && planProtection(volume, finalizer, volume.status?.phase === "Bound");
        if (!finalizers) return;
        const metadata = { ...(volume as PersistentVolume).metadata, finalizers };
        await client.core.v1.persistentvolumes().update({ ...(volume as PersistentVolume), metadata });
      },
    });
    loop.watchFor(volumes, (volume) => (needsProtectionWork(volume, finalizer) ? [keyOf(volume)] : []));
    return loop;
  },
};
