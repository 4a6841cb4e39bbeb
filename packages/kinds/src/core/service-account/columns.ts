import { age } from "../../age.js";
import { ageColumn, type ColumnSet, nameColumn } from "../../columns.js";
import type { StoredServiceAccount } from "./stored.js";

export const serviceAccountColumns: ColumnSet<StoredServiceAccount> = {
  columns: [nameColumn, ageColumn],
  cells: ({ metadata }, now) => [metadata.name ?? "", age(metadata.creationTimestamp, now)],
};
