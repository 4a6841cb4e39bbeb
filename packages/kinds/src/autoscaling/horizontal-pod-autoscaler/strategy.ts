import { keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import type { StoredHorizontalPodAutoscaler } from "./stored.js";
import {
  checkHorizontalPodAutoscaler,
  checkHorizontalPodAutoscalerStatus,
  checkHorizontalPodAutoscalerUpdate,
} from "./validation.js";

export const horizontalPodAutoscalerStrategy: Strategy<StoredHorizontalPodAutoscaler> = {
  resetFields: [["status"]],
  prepareForCreate(autoscaler) {
    autoscaler.status = { desiredReplicas: 0 };
  },
  validateCreate: checkHorizontalPodAutoscaler,
  prepareForUpdate: (autoscaler, old) => keep(autoscaler, old, "status"),
  validateUpdate: checkHorizontalPodAutoscalerUpdate,
};

export const horizontalPodAutoscalerStatusStrategy: UpdateStrategy<StoredHorizontalPodAutoscaler> = {
  resetFields: [["spec"]],
  prepareForUpdate: (autoscaler, old) => keep(autoscaler, old, "spec"),
  validateUpdate: checkHorizontalPodAutoscalerStatus,
};
