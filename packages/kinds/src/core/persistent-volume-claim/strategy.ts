import type { DeepReadonly } from "@coxswain/api";
import { fieldPath } from "@coxswain/apimachinery/field";
import { getOwn } from "@coxswain/apimachinery/own";
import { keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { claimSpecWarnings } from "../../pod-spec/warnings/volumes.js";
import { storageClassAnnotation } from "../storage-class-annotation.js";
import { prepareDataSources } from "./data-sources.js";
import type { StoredPersistentVolumeClaim } from "./stored.js";
import {
  checkPersistentVolumeClaim,
  checkPersistentVolumeClaimStatus,
  checkPersistentVolumeClaimUpdate,
} from "./validation.js";

export const persistentVolumeClaimStrategy: Strategy<StoredPersistentVolumeClaim> = {
  resetFields: [["status"]],
  prepareForCreate(claim, { gates }) {
    claim.status = { phase: "Pending" };
    prepareDataSources(claim.spec, undefined, gates.enabled("CrossNamespaceVolumeDataSource"));
  },
  validateCreate: (claim) => checkPersistentVolumeClaim(claim),
  warningsOnCreate: warnings,
  prepareForUpdate(claim, old, { gates }) {
    keep(claim, old, "status");
    prepareDataSources(claim.spec, old.spec, gates.enabled("CrossNamespaceVolumeDataSource"));
  },
  validateUpdate: checkPersistentVolumeClaimUpdate,
  warningsOnUpdate: warnings,
};

function warnings({ metadata, spec }: DeepReadonly<StoredPersistentVolumeClaim>): string[] {
  const deprecated = getOwn(metadata.annotations, storageClassAnnotation) !== undefined;
  return [
    ...(deprecated
      ? [
          `metadata.annotations[${storageClassAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`,
        ]
      : []),
    ...claimSpecWarnings(spec, fieldPath("spec")),
  ];
}

export const persistentVolumeClaimStatusStrategy: UpdateStrategy<StoredPersistentVolumeClaim> = {
  resetFields: [["spec"]],
  prepareForUpdate: (claim, old) => keep(claim, old, "spec"),
  validateUpdate: checkPersistentVolumeClaimStatus,
};
