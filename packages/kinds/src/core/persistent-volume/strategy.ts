import { formatTime } from "@coxswain/apimachinery/time";
import { keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import type { StoredPersistentVolume } from "./stored.js";
import { checkPersistentVolume, checkPersistentVolumeStatus, checkPersistentVolumeUpdate } from "./validation.js";
import { persistentVolumeWarnings } from "./warnings.js";

export const persistentVolumeStrategy: Strategy<StoredPersistentVolume> = {
  resetFields: [["status"]],
  prepareForCreate: (volume, { now }) =>
    void (volume.status = { phase: "Pending", lastPhaseTransitionTime: formatTime(now) }),
  validateCreate: (volume) => checkPersistentVolume(volume, undefined),
  warningsOnCreate: persistentVolumeWarnings,
  prepareForUpdate: (volume, old) => keep(volume, old, "status"),
  validateUpdate: checkPersistentVolumeUpdate,
  warningsOnUpdate: persistentVolumeWarnings,
};

export const persistentVolumeStatusStrategy: UpdateStrategy<StoredPersistentVolume> = {
  resetFields: [["spec"]],
  prepareForUpdate(volume, old, { now }) {
    keep(volume, old, "spec");
    const { status } = volume;
    const isStale =
      !status.lastPhaseTransitionTime || status.lastPhaseTransitionTime === old.status.lastPhaseTransitionTime;
    if (status.phase !== old.status.phase && isStale) status.lastPhaseTransitionTime = formatTime(now);
    else if (!status.lastPhaseTransitionTime && old.status.lastPhaseTransitionTime)
      status.lastPhaseTransitionTime = old.status.lastPhaseTransitionTime;
  },
  validateUpdate: checkPersistentVolumeStatus,
};
