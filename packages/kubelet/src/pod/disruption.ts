import type { ConditionFacts } from "./conditions.js";
import type { PodFailure } from "./pod-status.js";

/** Pure: a pod that the node evicted gets a condition, for controllers that do not count it as a failure. */
export function disruptionOf(failure: PodFailure | undefined): ConditionFacts["besides"] {
  if (!failure?.isDisruption) return [];
  const { message } = failure;
  return [{ type: "DisruptionTarget", status: "True", reason: "TerminationByKubelet", message }];
}
