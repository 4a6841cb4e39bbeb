import { getOwn } from "@coxswain/apimachinery/own";
import type { RecordedEvent } from "@coxswain/client/events";
import { migratedTo, provisionedBy } from "../volumes/annotations.js";
import type { CachedClaim, CachedVolume } from "../volumes/cached-volumes.js";
import { haveSameMode } from "./match-volume.js";

export type VolumePlan =
  | { readonly kind: "phase"; readonly phase: "Available" | "Bound" }
  /** The claim is gone, or went elsewhere: the volume is released and its policy followed. */
  | { readonly kind: "reclaim" }
  /** The claim chose another volume; this one was never used. */
  | { readonly kind: "unbind" }
  /** The claim does not know yet of the volume that names it. */
  | { readonly kind: "wakeClaim" }
  | { readonly kind: "mismatch"; readonly onVolume: RecordedEvent; readonly onClaim: RecordedEvent };

/** Pure: what becomes of a volume. `claim` is the one that it names, by uid. */
export function planVolume(volume: CachedVolume, claim: CachedClaim | undefined): VolumePlan {
  if (!volume.spec?.claimRef?.uid) return { kind: "phase", phase: "Available" };
  if (!claim) return { kind: "reclaim" };
  if (!claim.spec?.volumeName) return haveSameMode(claim, volume) ? { kind: "wakeClaim" } : modeMismatch(volume, claim);
  if (claim.spec.volumeName === volume.metadata?.name) return { kind: "phase", phase: "Bound" };
  // A volume that was made for the claim is of no use to anybody else.
  const isMadeForIt = getOwn(volume.metadata?.annotations, provisionedBy) !== undefined;
  return { kind: isMadeForIt && volume.spec.persistentVolumeReclaimPolicy === "Delete" ? "reclaim" : "unbind" };
}

function modeMismatch(volume: CachedVolume, claim: CachedClaim): VolumePlan {
  const event = (message: string): RecordedEvent => ({ type: "Warning", reason: "VolumeMismatch", message });
  const [claimName, volumeName] = [JSON.stringify(claim.metadata?.name), JSON.stringify(volume.metadata?.name)];
  return {
    kind: "mismatch",
    onVolume: event(
      `Cannot bind PersistentVolume to requested PersistentVolumeClaim ${claimName} due to incompatible volumeMode.`,
    ),
    onClaim: event(
      `Cannot bind PersistentVolume ${volumeName} to requested PersistentVolumeClaim due to incompatible volumeMode.`,
    ),
  };
}

export type ReclaimPlan =
  | { readonly kind: "keep" }
  | { readonly kind: "recycle" }
  | { readonly kind: "delete" }
  | { readonly kind: "fail"; readonly event: RecordedEvent };

/** Pure: what the policy of a released volume asks for. Migrated volumes are their driver's. */
export function planReclaim({ metadata, spec }: CachedVolume): ReclaimPlan {
  if (getOwn(metadata?.annotations, migratedTo)) return { kind: "keep" };
  switch (spec?.persistentVolumeReclaimPolicy) {
    case "Retain":
      return { kind: "keep" };
    case "Recycle":
      return { kind: "recycle" };
    case "Delete":
      return { kind: "delete" };
    default: {
      const message = "Volume has unrecognized PersistentVolumeReclaimPolicy";
      return { kind: "fail", event: { type: "Warning", reason: "VolumeUnknownReclaimPolicy", message } };
    }
  }
}

/** Pure: whether the claim of a volume that is to be reclaimed still stands; checked again before anything is destroyed. */
export function isReleased(volume: CachedVolume, claim: CachedClaim | undefined): boolean {
  const { uid } = volume.spec?.claimRef ?? {};
  if (!uid) return false;
  if (claim?.metadata?.uid !== uid) return true;
  return Boolean(claim.spec?.volumeName) && claim.spec?.volumeName !== volume.metadata?.name;
}
