import type { DeepReadonly } from "@coxswain/api";
import { equalJson } from "@coxswain/apimachinery/json";
import { countGeneration } from "../../definition/keep.js";
import type { Strategy } from "../../definition/strategy.js";
import type { StoredCsiDriver } from "./stored.js";
import { checkCsiDriver, checkCsiDriverUpdate } from "./validation.js";

export const csiDriverStrategy: Strategy<StoredCsiDriver> = {
  resetFields: [],
  validateCreate: checkCsiDriver,
  warningsOnCreate: warnings,
  prepareForUpdate: (driver, old) => countGeneration(driver, old, "spec"),
  validateUpdate: checkCsiDriverUpdate,
  warningsOnUpdate: (driver, old) =>
    equalJson(driver.spec.tokenRequests, old.spec.tokenRequests) ? [] : warnings(driver),
  allowUnconditionalUpdate: false,
};

function warnings({ spec }: DeepReadonly<StoredCsiDriver>): string[] {
  if ((spec.tokenRequests ?? []).length === 0 || spec.serviceAccountTokenInSecrets !== undefined) return [];
  return [
    "spec.serviceAccountTokenInSecrets is unset; if supported by this CSI driver, set to true to prevent possible logging of tokens in volume attributes",
  ];
}
