import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { type ColumnDefinition, type ColumnSet, nameColumn } from "./columns.js";

const createdAtColumn: ColumnDefinition = {
  name: "Created At",
  type: "date",
  format: "",
  description: "When the object was created, by the clock of the server.",
  priority: 0,
};

/** How a kind is printed that has no columns of its own. */
export const createdAtColumns: ColumnSet<KubernetesObject> = {
  columns: [nameColumn, createdAtColumn],
  cells: ({ metadata }) => [metadata.name ?? "", metadata.creationTimestamp ?? ""],
};
