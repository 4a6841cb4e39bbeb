import type { metaV1 } from "@coxswain/api/types";
import type { CachedRule } from "./plan.js";

export interface RuleCounts {
  /** Pods that must go, or would have to if the effect were NoExecute, and in how many namespaces they are. */
  readonly pods: number;
  readonly namespaces: number;
  /** Pods that went since the controller began. */
  readonly evicted: number;
  /** Devices that the rule selects; counted where it has no effect. */
  readonly publishedDevices: number;
  readonly allocatedDevices: number;
}

const count = (number: number, one: string, many: string): string => (number === 1 ? `1 ${one}` : `${number} ${many}`);

/** Pure: what a rule has done and is about to do, as its condition reports it. */
export function ruleCondition({ metadata, spec }: CachedRule, counts: RuleCounts, now: string): metaV1.Condition {
  const { effect } = spec.taint;
  const namespaces = count(counts.namespaces, "namespace", "different namespaces");
  let [status, reason, message]: [metaV1.Condition["status"], string, string] = ["False", "OtherEffect", ""];
  if (effect === "NoExecute") {
    if (counts.pods > 0) {
      status = "True";
      reason = "PodsPendingEviction";
      message = `${count(counts.pods, "pod needs", "pods need")} to be evicted in ${namespaces}.`;
    } else reason = counts.evicted > 0 ? "Completed" : "NotStarted";
  } else if (effect === "None") {
    reason = "NoEffect";
    message =
      `${count(counts.publishedDevices, "published device", "published devices")} selected. ` +
      `${count(counts.allocatedDevices, "allocated device", "allocated devices")} selected. ` +
      `${count(counts.pods, "pod", "pods")} would be evicted in ${namespaces} if the effect was NoExecute. ` +
      "This information will not be updated again. Recreate the DeviceTaintRule to trigger an update.";
  } else message = "Eviction only happens for the NoExecute effect.";
  if (counts.evicted > 0)
    message = `${message && `${message} `}${count(counts.evicted, "pod", "pods")} evicted since starting the controller.`;
  return {
    type: "EvictionInProgress",
    status,
    reason,
    message,
    ...(metadata?.generation !== undefined && { observedGeneration: metadata.generation }),
    lastTransitionTime: now,
  };
}
