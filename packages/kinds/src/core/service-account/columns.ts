import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, nameColumn } from "../../definition/columns.js";
import type { StoredServiceAccount } from "./stored.js";

export const serviceAccountColumns: ColumnSet<StoredServiceAccount> = {
  columns: [nameColumn, ageColumn],
  cells: ({ metadata }, now) => [metadata.name ?? "", age(metadata.creationTimestamp, now)],
};
