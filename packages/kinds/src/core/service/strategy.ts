import { fieldPath } from "@coxswain/apimachinery/field";
import { ipWarnings } from "@coxswain/apimachinery/validation";
import { keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import type { StoredService } from "./stored.js";
import { dropOfOldType } from "./type-change.js";
import { checkService, checkServiceStatus, checkServiceUpdate } from "./validation.js";
import { serviceWarnings } from "./warnings.js";

export const serviceStrategy: Strategy<StoredService> = {
  resetFields: [["status"]],
  prepareForCreate: (service) => void (service.status = { loadBalancer: {} }),
  validateCreate: checkService,
  warningsOnCreate: (service) => serviceWarnings(service),
  prepareForUpdate(service, old) {
    keep(service, old, "status");
    dropOfOldType(service, old);
  },
  validateUpdate: checkServiceUpdate,
  warningsOnUpdate: (service) => serviceWarnings(service),
  /**
   * Upstream stores it and leaves it out of all that is read. Here it goes at once; who owns it is remembered all the
   * same, also when a client takes it away.
   */
  canonicalize({ spec }) {
    if (spec.type === "ExternalName") delete spec.internalTrafficPolicy;
  },
  allowCreateOnUpdate: true,
};

export const serviceStatusStrategy: UpdateStrategy<StoredService> = {
  resetFields: [["spec"]],
  prepareForUpdate: (service, old) => keep(service, old, "spec"),
  validateUpdate: checkServiceStatus,
  warningsOnUpdate: ({ status }) =>
    (status.loadBalancer?.ingress ?? []).flatMap(({ ip }, at) =>
      ip ? ipWarnings(ip, fieldPath("status", "loadBalancer", "ingress").index(at)) : [],
    ),
};
