import { ownKeys } from "@coxswain/apimachinery/own";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredConfigMap } from "./stored.js";

export const configMapColumns: ColumnSet<StoredConfigMap> = {
  columns: [nameColumn, column("Data", "string", "How many entries the map has."), ageColumn],
  cells: ({ metadata, data, binaryData }, now) => [
    metadata.name ?? "",
    ownKeys(data).length + ownKeys(binaryData).length,
    age(metadata.creationTimestamp, now),
  ],
};
