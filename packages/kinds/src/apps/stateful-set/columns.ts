import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { containerCells } from "../../printing/containers.js";
import type { StoredStatefulSet } from "./stored.js";

export const statefulSetColumns: ColumnSet<StoredStatefulSet> = {
  columns: [
    nameColumn,
    column("Ready", "string", "How many of the wanted pods are ready."),
    ageColumn,
    column("Containers", "string", "The containers of its pods.", 1),
    column("Images", "string", "Their images.", 1),
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    age(metadata.creationTimestamp, now),
    ...containerCells(spec.template.spec?.containers),
  ],
};
