import type { DeepReadonly } from "@coxswain/api";
import { getOwn } from "@coxswain/apimachinery/own";
import { parseQuantity } from "@coxswain/apimachinery/quantity";
import { keep } from "../../definition/keep.js";
import type { Strategy, UpdateStrategy } from "../../definition/strategy.js";
import type { StoredResourceQuota } from "./stored.js";
import { checkResourceQuota, checkResourceQuotaStatus, checkResourceQuotaUpdate } from "./validation.js";

export const resourceQuotaStrategy: Strategy<StoredResourceQuota> = {
  resetFields: [["status"]],
  prepareForCreate: (quota) => void (quota.status = {}),
  validateCreate: checkResourceQuota,
  warningsOnCreate: warnings,
  prepareForUpdate: (quota, old) => keep(quota, old, "status"),
  validateUpdate: checkResourceQuotaUpdate,
};

/** A limit below the request can never be used up. */
function warnings({ spec: { hard } }: DeepReadonly<StoredResourceQuota>): string[] {
  return ["cpu", "memory", "storage", "ephemeral-storage"].flatMap((resource) => {
    const mayStandAlone = resource === "cpu" || resource === "memory";
    const requestName =
      getOwn(hard, `requests.${resource}`) === undefined && mayStandAlone ? resource : `requests.${resource}`;
    const limitName = `limits.${resource}`;
    const [request, limit] = [getOwn(hard, requestName), getOwn(hard, limitName)];
    if (request === undefined || limit === undefined || parseQuantity(request).compare(parseQuantity(limit)) <= 0)
      return [];
    return [`ResourceQuota ${requestName} (${request}) should be less than ${limitName} (${limit})`];
  });
}

export const resourceQuotaStatusStrategy: UpdateStrategy<StoredResourceQuota> = {
  resetFields: [["spec"]],
  prepareForUpdate: (quota, old) => keep(quota, old, "spec"),
  validateUpdate: checkResourceQuotaStatus,
};
