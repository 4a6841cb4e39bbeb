import type { StoredPersistentVolume } from "./kind.js";

/** What its source leaves out is a default of the tables. */
export function setPersistentVolumeDefaults({ spec, status }: StoredPersistentVolume): void {
  status.phase ||= "Pending";
  spec.persistentVolumeReclaimPolicy ||= "Retain";
  spec.volumeMode ??= "Filesystem";
  if (spec.hostPath) spec.hostPath.type ??= "";
}
