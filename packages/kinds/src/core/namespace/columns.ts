import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredNamespace } from "./stored.js";

export const namespaceColumns: ColumnSet<StoredNamespace> = {
  columns: [nameColumn, column("Status", "string", "The phase of the namespace's life."), ageColumn],
  cells: ({ metadata, status }, now) => [metadata.name ?? "", status.phase ?? "", age(metadata.creationTimestamp, now)],
};
