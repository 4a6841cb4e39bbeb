import { countGeneration, keep } from "../../keep.js";
import type { Strategy, UpdateStrategy } from "../../strategy.js";
import { podNameWarnings } from "../../workload/pod-name-warning.js";
import type { StoredReplicationController } from "./kind.js";
import { checkReplicationController, checkReplicationControllerStatus, checkReplicationControllerUpdate } from "./validation.js";

export const replicationControllerStrategy: Strategy<StoredReplicationController> = {
  resetFields: [["status"]],
  prepareForCreate(controller) {
    controller.status = { replicas: 0 };
    controller.metadata.generation = 1;
  },
  validateCreate: checkReplicationController,
  warningsOnCreate: ({ metadata }) => podNameWarnings(metadata.name ?? ""),
  prepareForUpdate(controller, old) {
    keep(controller, old, "status");
    countGeneration(controller, old, "spec");
  },
  validateUpdate: checkReplicationControllerUpdate,
  /** From before there was a garbage collector: its pods stay unless the client says otherwise. */
  garbageCollection: "orphan",
};

export const replicationControllerStatusStrategy: UpdateStrategy<StoredReplicationController> = {
  resetFields: [["spec"]],
  prepareForUpdate: (controller, old) => keep(controller, old, "spec"),
  validateUpdate: checkReplicationControllerStatus,
};
