import type { PersistentVolumeSpec } from "@coxswain/api/core/v1";
import type { StoredPersistentVolume } from "./stored.js";

export function setPersistentVolumeDefaults({ spec, status }: StoredPersistentVolume): void {
  status.phase ||= "Pending";
  spec.persistentVolumeReclaimPolicy ||= "Retain";
  spec.volumeMode ??= "Filesystem";
  setVolumeSpecDefaults(spec);
}

/** What its source leaves out otherwise is a default of the tables. */
export function setVolumeSpecDefaults({ hostPath }: PersistentVolumeSpec): void {
  if (hostPath) hostPath.type ??= "";
}
