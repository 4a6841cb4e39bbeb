import { localPathNodeAnnotation, localPathProvisioner } from "@coxswain/api/local-path";
import { getOwn } from "@coxswain/apimachinery/own";
import { externalDeletionFinalizer, provisionedBy } from "../volumes/annotations.js";
import type { CachedVolume } from "../volumes/cached-volumes.js";

export type ReclaimPlan =
  | { readonly kind: "nothing" }
  /** The finalizer is there exactly while the volume's files are to go with it. */
  | { readonly kind: "setFinalizers"; readonly finalizers: readonly string[] }
  /** The node is asked to remove the files, then the object goes. */
  | { readonly kind: "delete"; readonly node: string };

/** Pure: what becomes of a volume; `node`: the one that has its files. */
export function planReclaim({ metadata, spec, status }: CachedVolume): ReclaimPlan {
  if (getOwn(metadata?.annotations, provisionedBy) !== localPathProvisioner) return { kind: "nothing" };
  const finalizers = metadata?.finalizers ?? [];
  const isKept = finalizers.includes(externalDeletionFinalizer);
  const isToDelete = spec?.persistentVolumeReclaimPolicy === "Delete";
  if (isKept && !isToDelete)
    return { kind: "setFinalizers", finalizers: finalizers.filter((each) => each !== externalDeletionFinalizer) };
  if (!isToDelete) return { kind: "nothing" };
  if (!isKept && !metadata?.deletionTimestamp)
    return { kind: "setFinalizers", finalizers: [...finalizers, externalDeletionFinalizer] };
  const isReleased = status?.phase === "Released" || status?.phase === "Failed";
  if (!isReleased || !isKept) return { kind: "nothing" };
  return { kind: "delete", node: getOwn(metadata?.annotations, localPathNodeAnnotation) ?? "" };
}
