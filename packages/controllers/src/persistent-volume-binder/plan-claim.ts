import { getOwn } from "@coxswain/apimachinery/own";
import type { RecordedEvent } from "@coxswain/client/events";
import { bindCompleted, boundByController, selectedNode } from "../volumes/annotations.js";
import type { CachedClaim, CachedClass, CachedVolume } from "../volumes/cached-volumes.js";
import { classOfClaim, hasClass } from "../volumes/storage-class.js";
import { bestVolume, isBoundTo, mismatchOf } from "./match-volume.js";
import { provisionerOf } from "./plugins.js";

export type ClaimPlan =
  | { readonly kind: "nothing" }
  | { readonly kind: "bind"; readonly volume: CachedVolume }
  /** The claim waits; its phase is Pending. */
  | { readonly kind: "pending"; readonly event?: RecordedEvent }
  /** Its volume is gone, or is another's. The event is recorded once. */
  | { readonly kind: "lost"; readonly event: RecordedEvent }
  /** It names no class, and now there is a default. */
  | { readonly kind: "assignClass"; readonly className: string }
  | { readonly kind: "provisionExternally"; readonly provisioner: string }
  | { readonly kind: "provisionHostPath"; readonly storageClass: CachedClass }
  | { readonly kind: "report"; readonly event: RecordedEvent }
  /** The controller itself bound it to a volume that somebody else took since: tried again with back-off. */
  | { readonly kind: "contradiction"; readonly event: RecordedEvent; readonly message: string };

export const isBindingComplete = ({ metadata }: CachedClaim): boolean =>
  getOwn(metadata?.annotations, bindCompleted) !== undefined;

/** Pure: a claim that was bound before. It never gets another volume: what was written to the first would be missing. */
export function planBoundClaim(claim: CachedClaim, volume: CachedVolume | undefined): ClaimPlan {
  const lost = (reason: string, message: string): ClaimPlan => ({
    kind: "lost",
    event: { type: "Warning", reason, message },
  });
  if (!claim.spec?.volumeName)
    return lost("ClaimLost", "Bound claim has lost reference to PersistentVolume. Data on the volume is lost!");
  if (!volume) return lost("ClaimLost", "Bound claim has lost its PersistentVolume. Data on the volume is lost!");
  if (!volume.spec?.claimRef || volume.spec.claimRef.uid === claim.metadata?.uid) return { kind: "bind", volume };
  return lost("ClaimMisbound", "Two claims are bound to the same volume, this one is bound incorrectly");
}

/** Pure: a claim that names its volume and is not bound yet. */
export function planNamedClaim(claim: CachedClaim, volume: CachedVolume | undefined): ClaimPlan {
  if (!volume) return { kind: "pending" };
  const name = JSON.stringify(volume.metadata?.name);
  if (!volume.spec?.claimRef) {
    const mismatch = mismatchOf(volume, claim);
    if (mismatch === undefined) return { kind: "bind", volume };
    const message = `Cannot bind to requested volume ${name}: ${mismatch}`;
    return { kind: "pending", event: { type: "Warning", reason: "VolumeMismatch", message } };
  }
  if (isBoundTo(volume, claim)) return { kind: "bind", volume };
  const message = `volume ${name} already bound to a different claim.`;
  const event: RecordedEvent = { type: "Warning", reason: "FailedBinding", message };
  if (getOwn(claim.metadata?.annotations, boundByController) === undefined) return { kind: "pending", event };
  const { namespace, name: other } = volume.spec.claimRef;
  const key = JSON.stringify(`${claim.metadata?.namespace}/${claim.metadata?.name}`);
  return {
    kind: "contradiction",
    event,
    message: `invalid binding of claim ${key} to volume ${name}: volume already claimed by ${JSON.stringify(`${namespace}/${other}`)}`,
  };
}

export interface FreeClaimInputs {
  readonly claim: CachedClaim;
  /** Volumes without a claim of the claim's class, and those that name the claim. */
  readonly candidates: readonly CachedVolume[];
  /** The class that the claim names, if it is there. */
  readonly storageClass: CachedClass | undefined;
  readonly defaultClass: CachedClass | undefined;
  /** Names of pods that use the claim and have no node yet. */
  readonly waitingPods: readonly string[];
  /** --enable-dynamic-provisioning. */
  readonly isProvisioningEnabled: boolean;
}

/** Pure: a claim that takes any volume that fits, or one that is made for it. */
export function planFreeClaim(inputs: FreeClaimInputs): ClaimPlan {
  const { claim, storageClass } = inputs;
  const isDelayed = storageClass?.volumeBindingMode === "WaitForFirstConsumer";
  const volume = bestVolume(claim, inputs.candidates, { isDelayed });
  if (volume) return { kind: "bind", volume };
  if (!hasClass(claim) && inputs.defaultClass)
    return { kind: "assignClass", className: inputs.defaultClass.metadata?.name ?? "" };
  if (isDelayed && getOwn(claim.metadata?.annotations, selectedNode) === undefined)
    return { kind: "pending", event: waitingEvent(inputs.waitingPods) };
  if (classOfClaim(claim) !== "") return planProvisioning(inputs);
  const message = "no persistent volumes available for this claim and no storage class is set";
  return { kind: "pending", event: { type: "Normal", reason: "FailedBinding", message } };
}

function waitingEvent(pods: readonly string[]): RecordedEvent {
  if (pods.length === 0)
    return {
      type: "Normal",
      reason: "WaitForFirstConsumer",
      message: "waiting for first consumer to be created before binding",
    };
  const message = `waiting for ${pods.length > 1 ? "pods" : "pod"} ${pods.join(",")} to be scheduled`;
  return { type: "Normal", reason: "WaitForPodScheduled", message };
}

function planProvisioning({ claim, storageClass, isProvisioningEnabled }: FreeClaimInputs): ClaimPlan {
  if (!isProvisioningEnabled) return { kind: "nothing" };
  const failed = (message: string): ClaimPlan => ({
    kind: "report",
    event: { type: "Warning", reason: "ProvisioningFailed", message },
  });
  if (!storageClass) return failed(`storageclass.storage.k8s.io ${JSON.stringify(classOfClaim(claim))} not found`);
  const provisioner = provisionerOf(storageClass);
  if (provisioner.kind === "unknown") return failed(provisioner.message);
  return provisioner.kind === "external"
    ? { kind: "provisionExternally", provisioner: provisioner.name }
    : { kind: "provisionHostPath", storageClass };
}
