import { ownKeys } from "@coxswain/apimachinery/own";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredSecret } from "./stored.js";

export const secretColumns: ColumnSet<StoredSecret> = {
  columns: [
    nameColumn,
    column("Type", "string", "What the secret is for."),
    column("Data", "string", "How many entries it has."),
    ageColumn,
  ],
  cells: ({ metadata, type, data }, now) => [
    metadata.name ?? "",
    type ?? "",
    ownKeys(data).length,
    age(metadata.creationTimestamp, now),
  ],
};
