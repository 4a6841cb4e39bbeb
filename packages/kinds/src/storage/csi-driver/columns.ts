import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { none } from "../../printing/labels.js";
import type { StoredCsiDriver } from "./stored.js";

export const csiDriverColumns: ColumnSet<StoredCsiDriver> = {
  columns: [
    nameColumn,
    column("AttachRequired", "boolean", "Whether volumes are attached to a node before they are mounted."),
    column("PodInfoOnMount", "boolean", "Whether it wants to know for which pod it mounts."),
    column("StorageCapacity", "boolean", "Whether it reports how much room there is."),
    column("TokenRequests", "string", "For whom it wants tokens of the pod's account."),
    column("RequiresRepublish", "boolean", "Whether it wants to be called again and again."),
    column("Modes", "string", "What kinds of volumes it has."),
    ageColumn,
  ],
  cells: ({ metadata, spec }, now) => [
    metadata.name ?? "",
    spec.attachRequired ?? true,
    spec.podInfoOnMount ?? false,
    spec.storageCapacity ?? false,
    spec.tokenRequests?.map(({ audience }) => audience).join(",") ?? "<unset>",
    spec.requiresRepublish ?? false,
    (spec.volumeLifecycleModes ?? []).join(",") || none,
    age(metadata.creationTimestamp, now),
  ],
};
