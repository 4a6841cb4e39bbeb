import type { DeepReadonly } from "@coxswain/api";
import { fieldPath } from "@coxswain/apimachinery/field";
import { countGeneration, keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { claimSpecWarnings } from "../../pod-spec/warnings/volumes.js";
import { podTemplateWarnings } from "../../pod-spec/warnings/warnings.js";
import type { StoredStatefulSet } from "./stored.js";
import { checkStatefulSet, checkStatefulSetStatus, checkStatefulSetUpdate } from "./validation.js";

const specPath = fieldPath("spec");

export const statefulSetStrategy: Strategy<StoredStatefulSet> = {
  resetFields: [["status"]],
  prepareForCreate(set) {
    set.status = { replicas: 0 };
    set.metadata.generation = 1;
  },
  validateCreate: checkStatefulSet,
  warningsOnCreate: (set) => [
    ...podTemplateWarnings(set.spec.template, specPath.child("template")),
    ...otherWarnings(set, []),
  ],
  prepareForUpdate(set, old) {
    keep(set, old, "status");
    countGeneration(set, old, "spec");
  },
  validateUpdate: checkStatefulSetUpdate,
  warningsOnUpdate: (set, old) => [
    ...(set.metadata.generation === old.metadata.generation
      ? []
      : podTemplateWarnings(set.spec.template, specPath.child("template"))),
    ...otherWarnings(set, ["Spec"]),
  ],
  garbageCollection: "background",
};

/** `below`: upstream names claims differently when they are created and when they are updated. */
function otherWarnings({ spec }: DeepReadonly<StoredStatefulSet>, below: readonly string[]): string[] {
  const claims = spec.volumeClaimTemplates ?? [];
  return [
    ...claims.flatMap((claim, at) =>
      claimSpecWarnings(
        claim.spec ?? {},
        specPath
          .child("volumeClaimTemplates")
          .index(at)
          .child(...below),
      ),
    ),
    ...((spec.revisionHistoryLimit ?? 0) < 0
      ? ["spec.revisionHistoryLimit: a negative value retains all historical revisions; a value >= 0 is recommended"]
      : []),
  ];
}

export const statefulSetStatusStrategy: UpdateStrategy<StoredStatefulSet> = {
  resetFields: [["spec"]],
  prepareForUpdate: (set, old) => keep(set, old, "spec"),
  validateUpdate: checkStatefulSetStatus,
};
