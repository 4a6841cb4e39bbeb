import { getOwn } from "@coxswain/apimachinery/own";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { accessModesText } from "../access-modes.js";
import { storageClassAnnotation } from "../storage-class-annotation.js";
import type { StoredPersistentVolumeClaim } from "./stored.js";

const unset = "<unset>";

export const persistentVolumeClaimColumns: ColumnSet<StoredPersistentVolumeClaim> = {
  columns: [
    nameColumn,
    column("Status", "string", "Whether it has a volume."),
    column("Volume", "string", "The volume it has."),
    column("Capacity", "string", "How much the volume holds."),
    column("Access Modes", "string", "How the volume may be mounted."),
    column("StorageClass", "string", "The class it asks for."),
    column("VolumeAttributesClass", "string", "The attributes it asks for."),
    ageColumn,
    column("VolumeMode", "string", "A file system or a device.", 1),
  ],
  cells({ metadata, spec, status }, now) {
    const { volumeName = "" } = spec;
    return [
      metadata.name ?? "",
      metadata.deletionTimestamp ? "Terminating" : (status.phase ?? ""),
      volumeName,
      volumeName === "" ? "" : (getOwn(status.capacity, "storage") ?? "0"),
      volumeName === "" ? "" : accessModesText(status.accessModes),
      getOwn(metadata.annotations, storageClassAnnotation) ?? spec.storageClassName ?? "",
      spec.volumeAttributesClassName ?? unset,
      age(metadata.creationTimestamp, now),
      spec.volumeMode ?? unset,
    ];
  },
};
