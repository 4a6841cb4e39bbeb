import { builtInKind } from "../../built-in/built-in-kind.js";
import { createdAtColumns } from "../../definition/created-at-columns.js";
import type { StoredCsiStorageCapacity } from "./stored.js";
import { checkCsiStorageCapacity, checkCsiStorageCapacityUpdate } from "./validation.js";
import { csiStorageCapacityWarnings } from "./warnings.js";

export type { StoredCsiStorageCapacity };

export const csiStorageCapacityKind = builtInKind<StoredCsiStorageCapacity>(
  "storage.k8s.io",
  "v1",
  "csistoragecapacities",
  {
    strategy: {
      resetFields: [],
      validateCreate: (capacity) => checkCsiStorageCapacity(capacity),
      warningsOnCreate: csiStorageCapacityWarnings,
      validateUpdate: checkCsiStorageCapacityUpdate,
      warningsOnUpdate: csiStorageCapacityWarnings,
      allowUnconditionalUpdate: false,
    },
    views: {},
    columns: createdAtColumns,
  },
);
