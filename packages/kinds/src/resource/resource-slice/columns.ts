import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredResourceSlice } from "./stored.js";

export const resourceSliceColumns: ColumnSet<StoredResourceSlice> = {
  columns: [
    nameColumn,
    column("Node", "string", "The node whose devices these are, if it is one."),
    column("Driver", "string", "The driver that made the slice."),
    column("Pool", "string", "The pool to which the devices belong."),
    ageColumn,
  ],
  cells: ({ metadata, spec }, now) => [
    metadata.name ?? "",
    spec.nodeName ?? "",
    spec.driver,
    spec.pool.name,
    age(metadata.creationTimestamp, now),
  ],
};
