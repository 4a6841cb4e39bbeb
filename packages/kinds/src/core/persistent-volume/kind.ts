import { builtInKind } from "../../built-in/built-in-kind.js";
import { roundUpResources } from "../../defaults/resource-list.js";
import { persistentVolumeColumns } from "./columns.js";
import { setPersistentVolumeDefaults } from "./defaults.js";
import type { StoredPersistentVolume } from "./stored.js";
import { persistentVolumeStatusStrategy, persistentVolumeStrategy } from "./strategy.js";

export type { StoredPersistentVolume };

export const persistentVolumeKind = builtInKind<StoredPersistentVolume>("", "v1", "persistentvolumes", {
  setDefaults: setPersistentVolumeDefaults,
  typeDefaults: { "io.k8s.api.core.v1.ResourceList": roundUpResources },
  strategy: persistentVolumeStrategy,
  views: { status: persistentVolumeStatusStrategy },
  columns: persistentVolumeColumns,
  returnsDeletedObject: true,
});
