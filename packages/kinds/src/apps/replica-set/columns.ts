import type { ColumnSet } from "../../definition/columns.js";
import { selectorText } from "../../printing/labels.js";
import { replicaCells, replicaColumns } from "../../printing/replica-columns.js";
import type { StoredReplicaSet } from "./stored.js";

export const replicaSetColumns: ColumnSet<StoredReplicaSet> = {
  columns: replicaColumns,
  cells: (object, now) => replicaCells(object, selectorText(object.spec.selector), now),
};
