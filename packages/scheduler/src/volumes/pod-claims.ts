import { getOwn } from "@coxswain/apimachinery/own";
import type { ClusterObjects, PersistentVolume, PersistentVolumeClaim } from "../framework/cluster-objects.js";
import { namespaceOf, type Pod } from "../pod/objects.js";

type Volume = NonNullable<NonNullable<Pod["spec"]>["volumes"]>[number];

/** A claim that a volume of a pod uses. */
export interface VolumeClaim {
  readonly name: string;
  /** The claim is made for the pod. */
  readonly ephemeral: boolean;
}

/** Undefined for volumes of other kinds. */
export function claimOf(pod: Pod, volume: Volume): VolumeClaim | undefined {
  if (volume.persistentVolumeClaim) return { name: volume.persistentVolumeClaim.claimName, ephemeral: false };
  if (volume.ephemeral) return { name: `${pod.metadata?.name ?? ""}-${volume.name}`, ephemeral: true };
  return undefined;
}

export const claimsOf = (pod: Pod): readonly VolumeClaim[] =>
  (pod.spec?.volumes ?? []).flatMap((volume) => claimOf(pod, volume) ?? []);

/** Whether the pod uses the claim of this name in its namespace. */
export const usesClaim = (pod: Pod, claim: PersistentVolumeClaim): boolean =>
  claim.metadata?.namespace === namespaceOf(pod) && claimsOf(pod).some(({ name }) => name === claim.metadata?.name);

const betaClass = "volume.beta.kubernetes.io/storage-class";

export const classOfClaim = ({ metadata, spec }: PersistentVolumeClaim): string =>
  getOwn(metadata?.annotations, betaClass) ?? spec?.storageClassName ?? "";

export const classOfVolume = ({ metadata, spec }: PersistentVolume): string =>
  getOwn(metadata?.annotations, betaClass) ?? spec?.storageClassName ?? "";

/** A claim that was made for a pod belongs to it; one of the same name that somebody else made must not be used. Undefined: it does. */
export function whyNotForPod(pod: Pod, { metadata }: PersistentVolumeClaim): string | undefined {
  const owner = metadata?.ownerReferences?.find(({ controller }) => controller);
  if (metadata?.namespace === namespaceOf(pod) && owner?.uid === pod.metadata?.uid) return undefined;
  const names = `${namespaceOf(pod)}/${pod.metadata?.name}`;
  return `PVC ${metadata?.namespace}/${metadata?.name} was not created for pod ${names} (pod is not owner)`;
}

/** Texts of objects that are not there, as upstream's caches have them (pkg/scheduler/util/assumecache/assume_cache.go, NotFoundError). */
export const notFound = {
  claim: (name: string): string => `persistentvolumeclaim "${name}" not found`,
  volume: (name: string): string => `persistentvolume "${name}" not found`,
  storageClass: (name: string): string => `storageclass.storage.k8s.io "${name}" not found`,
};

export type VolumeObjects = Pick<
  ClusterObjects,
  | "persistentVolumeClaims"
  | "persistentVolumes"
  | "storageClasses"
  | "csiNodes"
  | "csiDrivers"
  | "csiStorageCapacities"
  | "volumeAttachments"
>;
