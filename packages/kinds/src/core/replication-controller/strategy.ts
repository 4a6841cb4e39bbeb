import { fieldPath } from "@coxswain/apimachinery/field";
import { countGeneration, keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import { podTemplateWarnings } from "../../pod-spec/warnings/warnings.js";
import { podNameWarnings } from "../../workload/pod-name-warning.js";
import type { StoredReplicationController } from "./stored.js";
import {
  checkReplicationController,
  checkReplicationControllerStatus,
  checkReplicationControllerUpdate,
} from "./validation.js";

const templatePath = fieldPath("spec", "template");

export const replicationControllerStrategy: Strategy<StoredReplicationController> = {
  resetFields: [["status"]],
  prepareForCreate(controller) {
    controller.status = { replicas: 0 };
    controller.metadata.generation = 1;
  },
  validateCreate: checkReplicationController,
  warningsOnCreate: ({ metadata, spec }) => [
    ...podNameWarnings(metadata.name ?? ""),
    ...podTemplateWarnings(spec.template ?? {}, templatePath),
  ],
  prepareForUpdate(controller, old) {
    keep(controller, old, "status");
    countGeneration(controller, old, "spec");
  },
  validateUpdate: checkReplicationControllerUpdate,
  // Upstream looks at the old template here.
  warningsOnUpdate: ({ metadata }, old) =>
    metadata.generation === old.metadata.generation ? [] : podTemplateWarnings(old.spec.template ?? {}, templatePath),
  /** From before there was a garbage collector: its pods stay unless the client asks otherwise. */
  garbageCollection: "orphan",
};

export const replicationControllerStatusStrategy: UpdateStrategy<StoredReplicationController> = {
  resetFields: [["spec"]],
  prepareForUpdate: (controller, old) => keep(controller, old, "spec"),
  validateUpdate: checkReplicationControllerStatus,
};
