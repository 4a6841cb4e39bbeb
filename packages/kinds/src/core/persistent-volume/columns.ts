import { getOwn } from "@coxswain/apimachinery/own";
import { age } from "../../definition/age.js";
import { ageColumn, type ColumnSet, column, nameColumn } from "../../definition/columns.js";
import { accessModesText } from "../access-modes.js";
import { storageClassAnnotation } from "../storage-class-annotation.js";
import type { StoredPersistentVolume } from "./stored.js";

const unset = "<unset>";

export const persistentVolumeColumns: ColumnSet<StoredPersistentVolume> = {
  columns: [
    nameColumn,
    column("Capacity", "string", "How much it holds."),
    column("Access Modes", "string", "How it may be mounted."),
    column("Reclaim Policy", "string", "What becomes of it when its claim is gone."),
    column("Status", "string", "Whether it is bound to a claim."),
    column("Claim", "string", "The claim that has it."),
    column("StorageClass", "string", "The class it belongs to."),
    column("VolumeAttributesClass", "string", "The attributes it has."),
    column("Reason", "string", "Why it is in that state."),
    ageColumn,
    column("VolumeMode", "string", "A file system or a device.", 1),
  ],
  cells: ({ metadata, spec, status }, now) => [
    metadata.name ?? "",
    getOwn(spec.capacity, "storage") ?? "0",
    accessModesText(spec.accessModes),
    spec.persistentVolumeReclaimPolicy ?? "",
    metadata.deletionTimestamp ? "Terminating" : (status.phase ?? ""),
    spec.claimRef ? `${spec.claimRef.namespace ?? ""}/${spec.claimRef.name ?? ""}` : "",
    getOwn(metadata.annotations, storageClassAnnotation) ?? spec.storageClassName ?? "",
    spec.volumeAttributesClassName ?? unset,
    status.reason ?? "",
    age(metadata.creationTimestamp, now),
    spec.volumeMode ?? unset,
  ],
};
