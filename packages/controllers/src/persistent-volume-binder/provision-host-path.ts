import type { PersistentVolume } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";
import { referenceOf } from "../pods/pod-control.js";
import { boundByController, inTreeDeletionFinalizer, provisionedBy } from "../volumes/annotations.js";
import { type CachedClaim, type CachedClass, claimKind } from "../volumes/cached-volumes.js";
import { classOfClaim } from "../volumes/storage-class.js";
import { hostPathPlugin } from "./plugins.js";

/** Pure: why no directory can be the claim's volume; undefined: one can. */
export function hostPathRefusal(
  claim: CachedClaim,
  { metadata, mountOptions = [] }: CachedClass,
  isEnabled: boolean,
): string | undefined {
  const plugin = JSON.stringify(hostPathPlugin);
  const className = JSON.stringify(metadata?.name);
  if (claim.spec?.dataSource)
    return `plugin ${plugin} is not a CSI plugin. Only CSI plugin can provision a claim with a datasource`;
  if (mountOptions.length > 0)
    return `Mount options are not supported by the provisioner but StorageClass ${className} has mount options [${mountOptions.join(" ")}]`;
  if (!isEnabled) return `Failed to create provisioner: provisioning in volume plugin ${plugin} is disabled`;
  if (claim.spec?.volumeMode === "Block")
    return `Failed to provision volume with StorageClass ${className}: ${hostPathPlugin} does not support block volume provisioning`;
  return undefined;
}

export const provisionedVolumeName = ({ metadata }: CachedClaim): string => `pvc-${metadata?.uid}`;

/** Pure: the volume that is made for a claim, bound to it from the start. */
export function hostPathVolume(claim: CachedClaim, storageClass: CachedClass, path: string): PersistentVolume {
  const { reclaimPolicy = "Delete" } = storageClass;
  return {
    metadata: {
      name: provisionedVolumeName(claim),
      annotations: {
        "kubernetes.io/createdby": "hostpath-dynamic-provisioner",
        [boundByController]: "yes",
        [provisionedBy]: hostPathPlugin,
      },
      ...(reclaimPolicy === "Delete" && { finalizers: [inTreeDeletionFinalizer] }),
    },
    spec: {
      accessModes: [...(claim.spec?.accessModes ?? ["ReadWriteOnce"])],
      capacity: { storage: getOwn(claim.spec?.resources?.requests, "storage") ?? "0" },
      claimRef: referenceOf(claim, claimKind),
      hostPath: { path },
      persistentVolumeReclaimPolicy: reclaimPolicy,
      storageClassName: classOfClaim(claim),
    },
  };
}
