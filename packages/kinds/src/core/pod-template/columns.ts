import { type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { containerCells } from "../../printing/containers.js";
import { labelsText } from "../../printing/labels.js";
import type { StoredPodTemplate } from "./stored.js";

export const podTemplateColumns: ColumnSet<StoredPodTemplate> = {
  columns: [
    nameColumn,
    column("Containers", "string", "The containers of its pods."),
    column("Images", "string", "Their images."),
    column("Pod Labels", "string", "The labels of its pods."),
  ],
  cells: ({ metadata, template }) => [
    metadata.name ?? "",
    ...containerCells(template.spec?.containers),
    labelsText(template.metadata?.labels),
  ],
};
