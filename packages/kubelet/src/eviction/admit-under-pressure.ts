import { isTolerated } from "@coxswain/api/placement";
import { qosClass } from "@coxswain/api/pods";
import type { PodAdmission } from "../admission/admit-pod.js";
import { tolerationRules } from "../admission/admit-pod.js";
import type { CachedPod } from "../objects/cached-pod.js";
import { isCriticalPod } from "./rank-pods.js";
import type { PressureCondition } from "./signals.js";

const memoryTaint = { key: "node.kubernetes.io/memory-pressure", effect: "NoSchedule" } as const;

/** Pure: whether a node under pressure takes a pod: critical ones always, and where only memory is short those that request something or tolerate it. */
export function admitUnderPressure(pod: CachedPod, conditions: readonly PressureCondition[]): PodAdmission {
  if (conditions.length === 0 || isCriticalPod(pod)) return { admitted: true };
  if (conditions.length === 1 && conditions[0] === "MemoryPressure") {
    const qos = pod.status?.qosClass ?? (pod.spec && qosClass(pod.spec));
    if (qos !== "BestEffort" || isTolerated(memoryTaint, pod.spec?.tolerations, tolerationRules))
      return { admitted: true };
  }
  return { admitted: false, reason: "Evicted", message: `The node had condition: [${conditions.join(" ")}]. ` };
}
