import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { messageOf } from "../pods/pod-control.js";
import type { CachedClaim } from "../volumes/cached-volumes.js";
import { expandClaim } from "./expand-claim.js";
import { mayExpand, planExpansion } from "./plan.js";

/** Reports who makes a claim's volume larger, and does so for FlexVolumes. */
export const persistentVolumeExpanderController: Controller = {
  name: "persistentvolume-expander-controller",
  aliases: ["persistentvolume-expander"],
  serviceAccount: "expand-controller",
  start(context) {
    const { client, informers, runtime } = context;
    const claims = informers.of("core", "v1", "persistentvolumeclaims");
    const volumes = client.core.v1.persistentvolumes();
    const work = { client, recorder: context.recorder("volume_expand"), clock: runtime.clock };

    const loop = createReconcileLoop(context, {
      name: "volume_expand",
      workers: 10,
      async reconcile(key) {
        const claim = claims.indexer.getByKey(key);
        if (!claim) return;
        const volume = await volumes.get(claim.spec?.volumeName ?? "").catch((error: unknown) => {
          throw new Error(`failed to get PV ${JSON.stringify(claim.spec?.volumeName ?? "")}: ${messageOf(error)}`, {
            cause: error,
          });
        });
        await expandClaim(work, claim as PersistentVolumeClaim, volume, planExpansion(claim, volume));
      },
    });

    const wake = (claim: CachedClaim): void => {
      if (claim.status?.phase === "Bound") loop.queue.add(keyOf(claim));
    };
    loop.handle(claims, {
      onAdd: wake,
      onUpdate(old, claim) {
        if (mayExpand(old, claim)) wake(claim);
      },
    });
    return loop;
  },
};
