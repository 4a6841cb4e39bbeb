import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { containerCells } from "../../printing/containers.js";
import { selectorText } from "../../printing/labels.js";
import type { StoredReplicaSet } from "./stored.js";

export const replicaSetColumns: ColumnSet<StoredReplicaSet> = {
  columns: [
    nameColumn,
    column("Desired", "integer", "How many pods are wanted."),
    column("Current", "integer", "How many pods there are."),
    column("Ready", "integer", "How many of them are ready."),
    ageColumn,
    column("Containers", "string", "The containers of its pods.", 1),
    column("Images", "string", "Their images.", 1),
    column("Selector", "string", "Which pods it counts as its own.", 1),
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    spec.replicas ?? 0,
    status.replicas ?? 0,
    status.readyReplicas ?? 0,
    age(metadata.creationTimestamp, now),
    ...containerCells(spec.template?.spec?.containers),
    selectorText(spec.selector),
  ],
};
