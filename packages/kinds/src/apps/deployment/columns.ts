import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { containerCells } from "../../printing/containers.js";
import { plainSelectorText } from "../../printing/labels.js";
import type { StoredDeployment } from "./stored.js";

export const deploymentColumns: ColumnSet<StoredDeployment> = {
  columns: [
    nameColumn,
    column("Ready", "string", "How many of the wanted pods are ready."),
    column("Up-to-date", "string", "How many pods have the latest template."),
    column("Available", "string", "How many pods have been ready for long enough."),
    ageColumn,
    column("Containers", "string", "The containers of its pods.", 1),
    column("Images", "string", "Their images.", 1),
    column("Selector", "string", "Which pods it counts as its own.", 1),
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    `${status.readyReplicas ?? 0}/${spec.replicas ?? 0}`,
    status.updatedReplicas ?? 0,
    status.availableReplicas ?? 0,
    age(metadata.creationTimestamp, now),
    ...containerCells(spec.template.spec?.containers),
    plainSelectorText(spec.selector, "<invalid>"),
  ],
};
