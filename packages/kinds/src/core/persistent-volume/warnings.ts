import type { DeepReadonly } from "@coxswain/api";
import { fieldPath } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { nodeSelectorTermWarnings } from "../../pod-spec/warnings/deprecated-node-labels.js";
import { storageClassAnnotation } from "../storage-class-annotation.js";
import type { StoredPersistentVolume } from "./stored.js";

const deprecatedAnnotations = [
  [storageClassAnnotation, 'deprecated since v1.8; use "storageClassName" attribute instead'],
  ["volume.beta.kubernetes.io/mount-options", 'deprecated since v1.31; use "mountOptions" attribute instead'],
] as const;

/** Sources that are still in the API and no longer work. */
const deadSources = [
  ["cephfs", "cephfs", "v1.28", "v1.31"],
  ["photonPersistentDisk", "photonPersistentDisk", "v1.11", "v1.16"],
  ["scaleIO", "scaleIO", "v1.16", "v1.22"],
  ["storageos", "storageOS", "v1.22", "v1.25"],
  ["glusterfs", "glusterfs", "v1.25", "v1.26"],
  ["rbd", "rbd", "v1.28", "v1.31"],
] as const;

export function persistentVolumeWarnings({ metadata, spec }: DeepReadonly<StoredPersistentVolume>): string[] {
  const annotations = deprecatedAnnotations.filter(([name]) => getOwn(metadata.annotations, name) !== undefined);
  const terms = spec.nodeAffinity?.required?.nodeSelectorTerms ?? [];
  return [
    ...annotations.map(([name, why]) => `metadata.annotations[${name}]: ${why}`),
    ...(spec.persistentVolumeReclaimPolicy === "Recycle"
      ? [
          "spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.",
        ]
      : []),
    ...terms.flatMap((term, at) =>
      nodeSelectorTermWarnings(term, fieldPath("spec", "nodeAffinity", "required", "nodeSelectorTerms").index(at), {
        checkValues: false,
      }),
    ),
    ...deadSources
      .filter(([member]) => spec[member])
      .map(([, shown, since, gone]) => `spec.${shown}: deprecated in ${since}, non-functional in ${gone}+`),
  ];
}
