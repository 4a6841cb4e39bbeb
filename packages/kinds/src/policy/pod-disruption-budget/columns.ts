import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredPodDisruptionBudget } from "./stored.js";

const notSet = "N/A";

export const podDisruptionBudgetColumns: ColumnSet<StoredPodDisruptionBudget> = {
  columns: [
    nameColumn,
    column("Min Available", "string", "How many pods must stay."),
    column("Max Unavailable", "string", "How many pods may be away."),
    column("Allowed Disruptions", "integer", "How many pods may be evicted now."),
    ageColumn,
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    String(spec.minAvailable ?? notSet),
    String(spec.maxUnavailable ?? notSet),
    status.disruptionsAllowed ?? 0,
    age(metadata.creationTimestamp, now),
  ],
};
