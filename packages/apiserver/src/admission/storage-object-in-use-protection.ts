import type { AdmissionPlugin } from "./admission.js";

const finalizers: Readonly<Record<string, string>> = {
  "/PersistentVolume": "kubernetes.io/pv-protection",
  "/PersistentVolumeClaim": "kubernetes.io/pvc-protection",
  "storage.k8s.io/VolumeAttributesClass": "kubernetes.io/vac-protection",
};

/** What storage is in use stays until a controller has seen that it no longer is. */
export const storageObjectInUseProtection: AdmissionPlugin = {
  name: "StorageObjectInUseProtection",
  operations: ["CREATE"],
  admit({ kind, subresource, object }) {
    const finalizer = finalizers[`${kind.group}/${kind.kind}`];
    if (finalizer === undefined || subresource !== "" || !object) return;
    const own = object.metadata.finalizers ?? [];
    if (!own.includes(finalizer)) object.metadata.finalizers = [...own, finalizer];
  },
};
