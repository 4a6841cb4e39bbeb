import { builtInKind } from "../../built-in/built-in-kind.js";
import { roundUpResources } from "../../defaults/resource-list.js";
import { setClaimSpecDefaults } from "../../pod-spec/defaults.js";
import { persistentVolumeClaimColumns } from "./columns.js";
import type { StoredPersistentVolumeClaim } from "./stored.js";
import { persistentVolumeClaimStatusStrategy, persistentVolumeClaimStrategy } from "./strategy.js";

export type { StoredPersistentVolumeClaim };

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
