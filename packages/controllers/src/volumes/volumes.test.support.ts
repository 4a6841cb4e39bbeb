import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import type { StorageClass } from "@coxswain/api/storage/v1";

/** Builders whose members are one line each in tests. */
export const claim = (
  name: string,
  { metadata, spec, status }: Pick<PersistentVolumeClaim, "metadata" | "spec" | "status"> = {},
): PersistentVolumeClaim => ({
  metadata: { name, namespace: "default", uid: `uid-${name}`, ...metadata },
  spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
  status: status ?? { phase: "Pending" },
});

export const volume = (
  name: string,
  { metadata, spec, status }: Pick<PersistentVolume, "metadata" | "spec" | "status"> = {},
): PersistentVolume => ({
  metadata: { name, ...metadata },
  spec: {
    capacity: { storage: "1Gi" },
    accessModes: ["ReadWriteOnce"],
    hostPath: { path: `/tmp/${name}` },
    persistentVolumeReclaimPolicy: "Retain",
    ...spec,
  },
  status: status ?? { phase: "Available" },
});

/** As a volume's claimRef; without a uid, as people write it. */
export const referenceTo = (name: string, uid?: string) => ({ namespace: "default", name, ...(uid && { uid }) });

export const storageClass = (name: string, rest: Partial<StorageClass> = {}): StorageClass => ({
  metadata: { name },
  provisioner: "example.com/disk",
  volumeBindingMode: "Immediate",
  ...rest,
});
