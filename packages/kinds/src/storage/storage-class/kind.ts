import { builtInKind } from "../../built-in/built-in-kind.js";
import { storageClassColumns } from "./columns.js";
import type { StoredStorageClass } from "./stored.js";
import { checkStorageClass, checkStorageClassUpdate } from "./validation.js";
import { storageClassWarnings } from "./warnings.js";

export type { StoredStorageClass };

export const storageClassKind = builtInKind<StoredStorageClass>("storage.k8s.io", "v1", "storageclasses", {
  setDefaults(storageClass) {
    storageClass.reclaimPolicy ??= "Delete";
    storageClass.volumeBindingMode ??= "Immediate";
  },
  strategy: {
    resetFields: [],
    validateCreate: checkStorageClass,
    warningsOnCreate: storageClassWarnings,
    validateUpdate: checkStorageClassUpdate,
    warningsOnUpdate: storageClassWarnings,
  },
  views: {},
  columns: storageClassColumns,
  returnsDeletedObject: true,
});
