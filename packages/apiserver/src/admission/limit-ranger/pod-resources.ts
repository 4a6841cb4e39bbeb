import type { PodSpec } from "@coxswain/api/core/v1";
import { podLimits, podRequests, quantities, specOnly } from "@coxswain/api/pods";
import { writeAmounts } from "@coxswain/api/quota";
import type { Resources } from "./constraints.js";

/** What the whole pod asks for and may use. What its runtime needs is not limited here. */
export function podResources(spec: PodSpec): Resources {
  const pod = { spec: { ...spec, overhead: {} } };
  return {
    requests: writeAmounts(podRequests(pod, specOnly, quantities)),
    limits: writeAmounts(podLimits(pod, specOnly, quantities)),
  };
}
