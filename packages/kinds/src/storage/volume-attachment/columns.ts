import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredVolumeAttachment } from "./stored.js";

export const volumeAttachmentColumns: ColumnSet<StoredVolumeAttachment> = {
  columns: [
    nameColumn,
    { ...column("Attacher", "string", "Who attaches it."), format: "name" },
    column("PV", "string", "The volume."),
    column("Node", "string", "The node it is attached to."),
    column("Attached", "boolean", "Whether it is."),
    ageColumn,
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    spec.attacher,
    spec.source.persistentVolumeName ?? "",
    spec.nodeName,
    status.attached ?? false,
    age(metadata.creationTimestamp, now),
  ],
};
