import type { DeepReadonly } from "@coxswain/api";
import { countGeneration, keep } from "../../keep.js";
import type { Strategy, UpdateStrategy } from "../../strategy.js";
import type { StoredStatefulSet } from "./kind.js";
import { checkStatefulSet, checkStatefulSetStatus, checkStatefulSetUpdate } from "./validation.js";

export const statefulSetStrategy: Strategy<StoredStatefulSet> = {
  resetFields: [["status"]],
  prepareForCreate(set) {
    set.status = { replicas: 0 };
    set.metadata.generation = 1;
  },
  validateCreate: checkStatefulSet,
  warningsOnCreate: warnings,
  prepareForUpdate(set, old) {
    keep(set, old, "status");
    countGeneration(set, old, "spec");
  },
  validateUpdate: checkStatefulSetUpdate,
  warningsOnUpdate: warnings,
  garbageCollection: "background",
};

function warnings({ spec }: DeepReadonly<StoredStatefulSet>): string[] {
  return (spec.revisionHistoryLimit ?? 0) < 0 ? ["spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"] : [];
}

export const statefulSetStatusStrategy: UpdateStrategy<StoredStatefulSet> = {
  resetFields: [["spec"]],
  prepareForUpdate: (set, old) => keep(set, old, "spec"),
  validateUpdate: checkStatefulSetStatus,
};
