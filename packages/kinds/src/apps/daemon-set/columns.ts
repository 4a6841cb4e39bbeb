import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { containerCells } from "../../printing/containers.js";
import { labelsText, selectorText } from "../../printing/labels.js";
import type { StoredDaemonSet } from "./stored.js";

export const daemonSetColumns: ColumnSet<StoredDaemonSet> = {
  columns: [
    nameColumn,
    column("Desired", "integer", "How many nodes should run its pod."),
    column("Current", "integer", "How many of these do."),
    column("Ready", "integer", "On how many the pod is ready."),
    column("Up-to-date", "integer", "On how many it has the latest template."),
    column("Available", "integer", "On how many it has been ready for long enough."),
    column("Node Selector", "string", "On which nodes it runs."),
    ageColumn,
    column("Containers", "string", "The containers of its pods.", 1),
    column("Images", "string", "Their images.", 1),
    column("Selector", "string", "Which pods it counts as its own.", 1),
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    status.desiredNumberScheduled ?? 0,
    status.currentNumberScheduled ?? 0,
    status.numberReady ?? 0,
    status.updatedNumberScheduled ?? 0,
    status.numberAvailable ?? 0,
    labelsText(spec.template.spec?.nodeSelector),
    age(metadata.creationTimestamp, now),
    ...containerCells(spec.template.spec?.containers),
    selectorText(spec.selector),
  ],
};
