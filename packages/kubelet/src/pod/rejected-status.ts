import type { PodStatus } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import type { CachedPod } from "../objects/cached-pod.js";

/** Pure: the status of a pod that the node does not take. */
export function rejectedStatus(
  pod: CachedPod,
  { reason, message }: { reason: string; message: string },
  now: number,
): PodStatus {
  const { generation } = pod.metadata ?? {};
  return {
    ...(generation && { observedGeneration: generation }),
    phase: "Failed",
    reason,
    message: `Pod was rejected: ${message}`,
    startTime: pod.status?.startTime ?? formatTime(now),
    conditions: (pod.status?.conditions ?? []).map((condition) => ({ ...condition })),
  };
}
