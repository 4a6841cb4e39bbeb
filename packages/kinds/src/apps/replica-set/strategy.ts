import { countGeneration, keep } from "../../keep.js";
import type { Strategy, UpdateStrategy } from "../../strategy.js";
import { podNameWarnings } from "../../workload/pod-name-warning.js";
import type { StoredReplicaSet } from "./kind.js";
import { checkReplicaSet, checkReplicaSetStatus, checkReplicaSetUpdate } from "./validation.js";

export const replicaSetStrategy: Strategy<StoredReplicaSet> = {
  resetFields: [["status"]],
  prepareForCreate(set) {
    set.status = { replicas: 0 };
    set.metadata.generation = 1;
  },
  validateCreate: checkReplicaSet,
  warningsOnCreate: ({ metadata }) => podNameWarnings(metadata.name ?? ""),
  prepareForUpdate(set, old) {
    keep(set, old, "status");
    countGeneration(set, old, "spec");
  },
  validateUpdate: checkReplicaSetUpdate,
  garbageCollection: "background",
};

export const replicaSetStatusStrategy: UpdateStrategy<StoredReplicaSet> = {
  resetFields: [["spec"]],
  prepareForUpdate: (set, old) => keep(set, old, "spec"),
  validateUpdate: checkReplicaSetStatus,
};
