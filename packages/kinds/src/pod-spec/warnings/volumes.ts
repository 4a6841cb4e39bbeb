import type { DeepReadonly } from "@coxswain/api";
import type { PersistentVolumeClaimSpec, Volume, VolumeSource } from "@coxswain/api/core/v1";
import { type FieldPath } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { fractionalWarning } from "./fractions.js";

/** Kinds of volumes that are going or gone, in upstream's order; `ephemeral` has its place among them. */
const deprecated: readonly (readonly [member: keyof VolumeSource, what: string, named?: string])[] = [
  ["photonPersistentDisk", "deprecated in v1.11, non-functional in v1.16+"],
  ["gitRepo", "deprecated in v1.11, and disabled by default in v1.33+"],
  ["scaleIO", "deprecated in v1.16, non-functional in v1.22+"],
  ["flocker", "deprecated in v1.22, non-functional in v1.25+"],
  ["storageos", "deprecated in v1.22, non-functional in v1.25+", "storageOS"],
  ["quobyte", "deprecated in v1.22, non-functional in v1.25+"],
  ["glusterfs", "deprecated in v1.25, non-functional in v1.26+"],
  ["ephemeral", ""],
  ["cephfs", "deprecated in v1.28, non-functional in v1.31+"],
  ["rbd", "deprecated in v1.28, non-functional in v1.31+"],
];

export function volumeWarnings(volumes: readonly DeepReadonly<Volume>[], path: FieldPath): string[] {
  return volumes.flatMap((volume, i) =>
    deprecated.flatMap(([member, what, named = member]) => {
      if (volume[member] === undefined) return [];
      const at = path.index(i).child(named);
      if (member !== "ephemeral") return [`${at}: ${what}`];
      const template = volume.ephemeral?.volumeClaimTemplate;
      return template ? claimSpecWarnings(template.spec, at.child("volumeClaimTemplate").child("spec")) : [];
    }),
  );
}

export const claimSpecWarnings = (
  { resources }: DeepReadonly<PersistentVolumeClaimSpec>,
  path: FieldPath,
): string[] => [
  ...fractionalWarning(
    getOwn(resources?.requests, "storage"),
    path.child("resources").child("requests").key("storage"),
  ),
  ...fractionalWarning(getOwn(resources?.limits, "storage"), path.child("resources").child("limits").key("storage")),
];
