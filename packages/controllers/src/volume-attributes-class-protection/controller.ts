import type { VolumeAttributesClass } from "@coxswain/api/storage/v1";
import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { needsProtectionWork, planProtection } from "../protection/plan.js";
import { classesLeft, classesOfClaim, classesOfVolume } from "./plan.js";

const finalizer = "kubernetes.io/vac-protection";
const classIndex = "volumeAttributesClassName";

/** Keeps a VolumeAttributesClass that is being deleted until no volume and no claim names it. */
export const volumeAttributesClassProtectionController: Controller = {
  name: "volumeattributesclass-protection-controller",
  aliases: [],
  serviceAccount: "volumeattributesclass-protection-controller",
  gates: ["VolumeAttributesClass"],
  start(context) {
    const { client, informers } = context;
    const classes = informers.of("storage", "v1", "volumeattributesclasses");
    const claims = informers.of("core", "v1", "persistentvolumeclaims", { indexers: { [classIndex]: classesOfClaim } });
    const volumes = informers.of("core", "v1", "persistentvolumes", { indexers: { [classIndex]: classesOfVolume } });
    const isUsed = (name: string): boolean =>
      volumes.indexer.byIndex(classIndex, name).length > 0 || claims.indexer.byIndex(classIndex, name).length > 0;

    const loop = createReconcileLoop(context, {
      name: "vacprotection",
      workers: 1,
      async reconcile(name) {
        const held = classes.indexer.getByKey(name);
        const finalizers = held && planProtection(held, finalizer, isUsed(name));
        if (!finalizers) return;
        const metadata = { ...(held as VolumeAttributesClass).metadata, finalizers };
        await client.storage.v1.volumeattributesclasses().update({ ...(held as VolumeAttributesClass), metadata });
      },
    });
    loop.watchFor(classes, (held) => (needsProtectionWork(held, finalizer) ? [keyOf(held)] : []));
    const wake = (before: readonly string[], now: readonly string[]): void => {
      for (const name of classesLeft(before, now)) loop.queue.add(name);
    };
    loop.handle(claims, {
      onUpdate: (old, claim) => wake(classesOfClaim(old), classesOfClaim(claim)),
      onDelete: (claim) => wake(classesOfClaim(claim), []),
    });
    loop.handle(volumes, {
      onUpdate: (old, volume) => wake(classesOfVolume(old), classesOfVolume(volume)),
      onDelete: (volume) => wake(classesOfVolume(volume), []),
    });
    return loop;
  },
};
