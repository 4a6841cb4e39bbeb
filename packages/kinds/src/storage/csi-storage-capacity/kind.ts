import type { CSIStorageCapacity } from "@coxswain/api/storage/v1";
import { builtInKind } from "../../built-in-kind.js";
import { column, nameColumn } from "../../columns.js";
import type { Stored } from "../../stored.js";
import { checkCsiStorageCapacity, checkCsiStorageCapacityUpdate } from "./validation.js";
import { csiStorageCapacityWarnings } from "./warnings.js";

export type StoredCsiStorageCapacity = Stored<CSIStorageCapacity>;

export const csiStorageCapacityKind = builtInKind<StoredCsiStorageCapacity>("storage.k8s.io", "v1", "csistoragecapacities", {
  strategy: {
    resetFields: [],
    validateCreate: (capacity) => checkCsiStorageCapacity(capacity),
    warningsOnCreate: csiStorageCapacityWarnings,
    validateUpdate: checkCsiStorageCapacityUpdate,
    warningsOnUpdate: csiStorageCapacityWarnings,
    allowUnconditionalUpdate: false,
  },
  views: {},
  columns: {
    columns: [nameColumn, column("StorageClassName", "string", "The class it is about."), column("Capacity", "string", "How much room there is.")],
    cells: ({ metadata, storageClassName, capacity }) => [metadata.name ?? "", storageClassName, capacity ?? "<unset>"],
  },
});
