import { builtInKind } from "../../built-in/built-in-kind.js";
import { age } from "../../definition/age.js";
import { ageColumn, column, nameColumn } from "../../definition/columns.js";
import type { StoredVolumeAttributesClass } from "./stored.js";
import { checkVolumeAttributesClass, checkVolumeAttributesClassUpdate } from "./validation.js";

export type { StoredVolumeAttributesClass };

export const volumeAttributesClassKind = builtInKind<StoredVolumeAttributesClass>(
  "storage.k8s.io",
  "v1",
  "volumeattributesclasses",
  {
    strategy: {
      resetFields: [],
      validateCreate: checkVolumeAttributesClass,
      validateUpdate: checkVolumeAttributesClassUpdate,
    },
    views: {},
    columns: {
      columns: [nameColumn, column("DriverName", "string", "Whose volumes it is for."), ageColumn],
      cells: ({ metadata, driverName }, now) => [metadata.name ?? "", driverName, age(metadata.creationTimestamp, now)],
    },
    returnsDeletedObject: true,
  },
);
