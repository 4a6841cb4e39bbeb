import type { KubernetesObject, ObjectMeta, OwnerReference } from "@coxswain/apimachinery/meta";
import { unboundClaim, withJobSelector } from "./restored-kinds.js";

/** What the server sets, and what belonged to a life that is over. */
const notRestored: readonly (keyof ObjectMeta)[] = [
  "uid",
  "resourceVersion",
  "creationTimestamp",
  "deletionTimestamp",
  "deletionGracePeriodSeconds",
  "generation",
  "managedFields",
  "generateName",
];

export interface Restoring {
  /** As it was. */
  readonly past: KubernetesObject;
  /** As it is; undefined: it is gone. */
  readonly present: KubernetesObject | undefined;
  /** Of `past`: those that still exist, with the same uid. */
  readonly owners: readonly OwnerReference[];
  /** The volume of a claim is gone: it gets another one. @default false */
  readonly isVolumeGone?: boolean;
}

/** Pure: the object to write so that it is again as it was. Its status is for controllers to make. */
export function planRestore({ past, present, owners, isVolumeGone = false }: Restoring): KubernetesObject {
  const metadata: Record<string, unknown> = { ...past.metadata };
  for (const name of notRestored) delete metadata[name];
  delete metadata["ownerReferences"];
  if (owners.length > 0) metadata["ownerReferences"] = owners;
  if (present?.metadata) {
    metadata["uid"] = present.metadata.uid;
    metadata["resourceVersion"] = present.metadata.resourceVersion;
  }
  const { status: _, ...rest } = past as KubernetesObject & { readonly status?: unknown };
  const restored = { ...rest, metadata: metadata as ObjectMeta };
  if (past.kind === "Job") return withJobSelector(restored, present);
  return past.kind === "PersistentVolumeClaim" && !present ? unboundClaim(restored, isVolumeGone) : restored;
}

/** Pure: what owned it and does not any more, since it is gone. */
export const lostOwners = (
  { metadata }: KubernetesObject,
  living: readonly OwnerReference[],
): readonly OwnerReference[] =>
  (metadata?.ownerReferences ?? []).filter(({ uid }) => !living.some((each) => each.uid === uid));
