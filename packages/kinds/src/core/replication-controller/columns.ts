import type { ColumnSet } from "../../definition/columns.js";
import { labelsText } from "../../printing/labels.js";
import { replicaCells, replicaColumns } from "../../printing/replica-columns.js";
import type { StoredReplicationController } from "./stored.js";

export const replicationControllerColumns: ColumnSet<StoredReplicationController> = {
  columns: replicaColumns,
  cells: (object, now) => replicaCells(object, labelsText(object.spec.selector), now),
};
