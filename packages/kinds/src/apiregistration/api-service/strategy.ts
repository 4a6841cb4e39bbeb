import { formatTime } from "@coxswain/apimachinery/time";
import { keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import type { StoredApiService } from "./stored.js";
import { checkApiService, checkApiServiceStatus, checkApiServiceUpdate } from "./validation.js";

export const apiServiceStrategy: Strategy<StoredApiService> = {
  resetFields: [["status"]],
  prepareForCreate(service, { now }) {
    service.status = {};
    if (service.spec.service) return;
    // What the server itself serves needs nobody to look whether it does.
    service.status.conditions = [
      {
        type: "Available",
        status: "True",
        lastTransitionTime: formatTime(now),
        reason: "Local",
        message: "Local APIServices are always available",
      },
    ];
  },
  validateCreate: checkApiService,
  prepareForUpdate: (service, old) => keep(service, old, "status"),
  validateUpdate: checkApiServiceUpdate,
  allowUnconditionalUpdate: false,
};

export const apiServiceStatusStrategy: UpdateStrategy<StoredApiService> = {
  resetFields: [["spec"], ["metadata"]],
  prepareForUpdate(service, old) {
    keep(service, old, "spec");
    keep(service.metadata, old.metadata, "labels", "annotations", "finalizers", "ownerReferences");
  },
  validateUpdate: checkApiServiceStatus,
};
