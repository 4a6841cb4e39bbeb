import { getOwn } from "@coxswain/apimachinery/own";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import type { StoredStorageClass } from "./stored.js";

const defaultMarks = [
  "storageclass.kubernetes.io/is-default-class",
  "storageclass.beta.kubernetes.io/is-default-class",
];

export const storageClassColumns: ColumnSet<StoredStorageClass> = {
  columns: [
    nameColumn,
    column("Provisioner", "string", "Who makes its volumes."),
    column("ReclaimPolicy", "string", "What becomes of a volume when its claim is gone."),
    column("VolumeBindingMode", "string", "When a claim gets its volume."),
    column("AllowVolumeExpansion", "string", "Whether volumes may grow."),
    ageColumn,
  ],
  cells(
    { metadata, provisioner, reclaimPolicy = "Delete", volumeBindingMode = "Immediate", allowVolumeExpansion = false },
    now,
  ) {
    const isDefault = defaultMarks.some((mark) => getOwn(metadata.annotations, mark) === "true");
    return [
      `${metadata.name ?? ""}${isDefault ? " (default)" : ""}`,
      provisioner,
      reclaimPolicy,
      volumeBindingMode,
      allowVolumeExpansion,
      age(metadata.creationTimestamp, now),
    ];
  },
};
