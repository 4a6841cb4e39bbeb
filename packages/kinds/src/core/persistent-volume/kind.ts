import type { PersistentVolume } from "@coxswain/api/core/v1";
import { builtInKind } from "../../built-in-kind.js";
import { roundUpResources } from "../../defaults/resource-list.js";
import type { Stored } from "../../stored.js";
import { persistentVolumeColumns } from "./columns.js";
import { setPersistentVolumeDefaults } from "./defaults.js";
import { persistentVolumeStatusStrategy, persistentVolumeStrategy } from "./strategy.js";

export type StoredPersistentVolume = Stored<PersistentVolume, "spec" | "status">;

export const persistentVolumeKind = builtInKind<StoredPersistentVolume>("", "v1", "persistentvolumes", {
  setDefaults: setPersistentVolumeDefaults,
  typeDefaults: { "io.k8s.api.core.v1.ResourceList": roundUpResources },
  strategy: persistentVolumeStrategy,
  views: { status: persistentVolumeStatusStrategy },
  columns: persistentVolumeColumns,
  returnsDeletedObject: true,
});
