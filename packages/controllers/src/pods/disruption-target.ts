import type { PodCondition } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { type CachedPod, podCondition } from "./pod-state.js";

/** Pure: the condition that a pod has which is deleted for reasons of its own: a Job may then not count it as failed. `now` in milliseconds. */
export function disruptionTarget(
  pod: CachedPod,
  { reason, message, now }: { readonly reason: string; readonly message: string; readonly now: number },
): PodCondition {
  const before = podCondition(pod, "DisruptionTarget");
  const { generation } = pod.metadata ?? {};
  return {
    type: "DisruptionTarget",
    ...(generation !== undefined && { observedGeneration: generation }),
    status: "True",
    lastTransitionTime:
      before?.status === "True" && before.lastTransitionTime ? before.lastTransitionTime : formatTime(now),
    reason,
    message,
  };
}
