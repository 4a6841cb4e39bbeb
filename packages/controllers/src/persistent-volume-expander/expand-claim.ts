import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import type { EventRecorder } from "@coxswain/client/events";
import { keyOf } from "@coxswain/client/informers";
import type { Clock } from "@coxswain/runtime/clock";
import { referenceOf } from "../pods/pod-control.js";
import { preResizeCapacity, storageResizer } from "../volumes/annotations.js";
import { claimKind } from "../volumes/cached-volumes.js";
import { type ExpandPlan, expandedStatus, expandingStatus, nodePendingStatus } from "./plan.js";

/** What the work on all claims shares. */
export interface ExpanderWork {
  readonly client: Client;
  readonly recorder: EventRecorder;
  readonly clock: Clock;
}

/** Carries out the plan. @throws Error for a claim that is not bound yet */
export async function expandClaim(
  work: ExpanderWork,
  claim: PersistentVolumeClaim,
  volume: PersistentVolume,
  plan: ExpandPlan,
): Promise<void> {
  switch (plan.kind) {
    case "nothing":
      return;
    case "notBound":
      throw new Error(`persistent Volume is not bound to PVC being updated : ${keyOf(claim)}`);
    case "external":
      work.recorder.event(referenceOf(claim, claimKind), plan.event);
      if (plan.resizer) await noteResizer(work, claim, plan.resizer);
      return;
    case "forgetOldSize":
      await annotateVolume(work, volume, null);
      return;
    case "expandOnNode":
      await leaveToNode(work, claim, volume);
      return;
    case "expand": {
      const now = formatTime(work.clock.now());
      const noted = await noteResizer(work, claim, plan.resizer);
      const begun = await writeStatus(work, { ...noted, status: expandingStatus(noted.status, plan.size, now) });
      const grown = await work.client.core.v1.persistentvolumes().patch(volume.metadata?.name ?? "", {
        merge: { spec: { capacity: { storage: plan.size } } },
      });
      if (plan.isFileSystem) return leaveToNode(work, begun, grown);
      await writeStatus(work, { ...begun, status: expandedStatus(begun.status, plan.size) });
      const message = `ExpandVolume succeeded for volume ${keyOf(claim)}`;
      work.recorder.event(referenceOf(claim, claimKind), { type: "Normal", reason: "VolumeResizeSuccessful", message });
    }
  }
}

/** The kubelet goes on; what the volume had before is kept for the case that the claim goes meanwhile. */
async function leaveToNode(work: ExpanderWork, claim: PersistentVolumeClaim, volume: PersistentVolume): Promise<void> {
  const now = formatTime(work.clock.now());
  // Before the status: nobody would write it once the status leaves the rest to the node.
  if (getOwn(volume.metadata?.annotations, preResizeCapacity) === undefined)
    await annotateVolume(work, volume, claim.status?.capacity?.storage ?? "0");
  await writeStatus(work, { ...claim, status: nodePendingStatus(claim.status, now) });
}

const writeStatus = ({ client }: ExpanderWork, claim: PersistentVolumeClaim): Promise<PersistentVolumeClaim> =>
  client.core.v1.persistentvolumeclaims(claim.metadata?.namespace ?? "").updateStatus(claim);

/** Through the status: the controller may write nothing else of a claim. */
async function noteResizer(
  { client }: ExpanderWork,
  claim: PersistentVolumeClaim,
  resizer: string,
): Promise<PersistentVolumeClaim> {
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

const annotateVolume = ({ client }: ExpanderWork, { metadata }: PersistentVolume, size: string | null) =>
  client.core.v1
    .persistentvolumes()
    .patch(metadata?.name ?? "", { strategic: { metadata: { annotations: { [preResizeCapacity]: size } } } });
