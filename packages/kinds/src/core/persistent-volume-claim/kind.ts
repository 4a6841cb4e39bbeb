import type { PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { builtInKind } from "../../built-in-kind.js";
import { roundUpResources } from "../../defaults/resource-list.js";
import type { Stored } from "../../stored.js";
import { setClaimSpecDefaults } from "../pod-spec/defaults.js";
import { persistentVolumeClaimColumns } from "./columns.js";
import { persistentVolumeClaimStatusStrategy, persistentVolumeClaimStrategy } from "./strategy.js";

export type StoredPersistentVolumeClaim = Stored<PersistentVolumeClaim, "spec" | "status">;

export const persistentVolumeClaimKind = builtInKind<StoredPersistentVolumeClaim>("", "v1", "persistentvolumeclaims", {
  setDefaults({ spec, status }) {
    setClaimSpecDefaults(spec);
    status.phase ||= "Pending";
  },
  typeDefaults: { "io.k8s.api.core.v1.ResourceList": roundUpResources },
  ownGates: ["CrossNamespaceVolumeDataSource"],
  strategy: persistentVolumeClaimStrategy,
  views: { status: persistentVolumeClaimStatusStrategy },
  columns: persistentVolumeClaimColumns,
  returnsDeletedObject: true,
});
