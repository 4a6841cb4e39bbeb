import { fieldPath } from "@coxswain/apimachinery/field";
import { countGeneration, keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { podTemplateWarnings } from "../../pod-spec/warnings/warnings.js";
import { podNameWarnings } from "../../workload/pod-name-warning.js";
import type { StoredReplicaSet } from "./stored.js";
import { checkReplicaSet, checkReplicaSetStatus, checkReplicaSetUpdate } from "./validation.js";

const templatePath = fieldPath("spec", "template");

export const replicaSetStrategy: Strategy<StoredReplicaSet> = {
  resetFields: [["status"]],
  prepareForCreate(set) {
    set.status = { replicas: 0 };
    set.metadata.generation = 1;
  },
  validateCreate: checkReplicaSet,
  warningsOnCreate: ({ metadata, spec }) => [
    ...podNameWarnings(metadata.name ?? ""),
    ...podTemplateWarnings(spec.template ?? {}, templatePath),
  ],
  prepareForUpdate(set, old) {
    keep(set, old, "status");
    countGeneration(set, old, "spec");
  },
  validateUpdate: checkReplicaSetUpdate,
  warningsOnUpdate: ({ metadata, spec }, old) =>
    metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(spec.template ?? {}, templatePath),
  garbageCollection: "background",
};

export const replicaSetStatusStrategy: UpdateStrategy<StoredReplicaSet> = {
  resetFields: [["spec"]],
  prepareForUpdate: (set, old) => keep(set, old, "spec"),
  validateUpdate: checkReplicaSetStatus,
};
