import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { formatTime } from "@coxswain/apimachinery/time";
import { keyOf } from "@coxswain/client/informers";
import type { Controller } from "../controller/controller.js";
import { createReconcileLoop } from "../controller/reconcile-loop.js";
import { messageOf, referenceOf } from "../pods/pod-control.js";
import { preResizeCapacity, storageResizer } from "../volumes/annotations.js";
import { type CachedClaim, claimKind } from "../volumes/cached-volumes.js";
import {
  type ExpandPlan,
  expandedStatus,
  expandingStatus,
  mayExpand,
  nodePendingStatus,
  planExpansion,
} from "./plan.js";

/** Reports who makes a claim's volume larger, and does so for FlexVolumes. */
export const persistentVolumeExpanderController: Controller = {
  name: "persistentvolume-expander-controller",
  aliases: ["persistentvolume-expander"],
  serviceAccount: "expand-controller",
  start(context) {
    const { client, informers, runtime } = context;
    const claims = informers.of("core", "v1", "persistentvolumeclaims");
    const recorder = context.recorder("volume_expand");
    const volumes = client.core.v1.persistentvolumes();

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
        await carryOut(claim as PersistentVolumeClaim, volume, planExpansion(claim, volume));
      },
    });

    async function carryOut(claim: PersistentVolumeClaim, volume: PersistentVolume, plan: ExpandPlan): Promise<void> {
      switch (plan.kind) {
        case "nothing":
          return;
        case "notBound":
          throw new Error(`persistent Volume is not bound to PVC being updated : ${keyOf(claim)}`);
        case "external":
          recorder.event(referenceOf(claim, claimKind), plan.event);
          if (plan.resizer) await noteResizer(claim, plan.resizer);
          return;
        case "forgetOldSize":
          await annotateVolume(volume, null);
          return;
        case "expandOnNode":
          await leaveToNode(claim, volume);
          return;
        case "expand": {
          const now = formatTime(runtime.clock.now());
          const noted = await noteResizer(claim, plan.resizer);
          const begun = await writeStatus({ ...noted, status: expandingStatus(noted.status, plan.size, now) });
          const grown = await volumes.patch(volume.metadata?.name ?? "", {
            merge: { spec: { capacity: { storage: plan.size } } },
          });
          if (plan.isFileSystem) return leaveToNode(begun, grown);
          await writeStatus({ ...begun, status: expandedStatus(begun.status, plan.size) });
          const message = `ExpandVolume succeeded for volume ${keyOf(claim)}`;
          recorder.event(referenceOf(claim, claimKind), { type: "Normal", reason: "VolumeResizeSuccessful", message });
        }
      }
    }

    /** The kubelet goes on; what the volume had before is kept for the case that the claim goes meanwhile. */
    async function leaveToNode(claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
      const now = formatTime(runtime.clock.now());
      // Before the status: nobody would write it once the status leaves the rest to the node.
      if (getOwn(volume.metadata?.annotations, preResizeCapacity) === undefined)
        await annotateVolume(volume, claim.status?.capacity?.storage ?? "0");
      await writeStatus({ ...claim, status: nodePendingStatus(claim.status, now) });
    }

    const writeStatus = (claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> =>
      client.core.v1.persistentvolumeclaims(claim.metadata?.namespace ?? "").updateStatus(claim);

    /** Through the status: the controller may write nothing else of a claim. */
    async function noteResizer(claim: PersistentVolumeClaim, resizer: string): Promise<PersistentVolumeClaim> {
      if (getOwn(claim.metadata?.annotations, storageResizer) === resizer) return claim;
      const { namespace = "", name = "", resourceVersion } = claim.metadata ?? {};
      return client.core.v1
        .persistentvolumeclaims(namespace)
        .subresource<PersistentVolumeClaim>("status")
        .patch(name, {
          strategic: {
            metadata: { annotations: { [storageResizer]: resizer }, ...(resourceVersion && { resourceVersion }) },
          },
        });
    }

    const annotateVolume = ({ metadata }: PersistentVolume, size: string | null) =>
      volumes.patch(metadata?.name ?? "", { strategic: { metadata: { annotations: { [preResizeCapacity]: size } } } });

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
