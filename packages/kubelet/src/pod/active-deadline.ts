import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { CachedPod } from "../objects/cached-pod.js";
import type { PodFailure } from "./pod-status.js";

/** Pure: when a pod that was started then is over by its activeDeadlineSeconds; one that was not started yet starts now. Milliseconds. */
export function activeDeadline(pod: CachedPod, startTime: string | undefined, now: number): number | undefined {
  const { activeDeadlineSeconds } = pod.spec ?? {};
  if (activeDeadlineSeconds === undefined) return undefined;
  const from = startTime === undefined ? now : (parseTimeMs(startTime) ?? now);
  return from + activeDeadlineSeconds * 1000;
}

/** Why it ends. */
export const deadlineExceeded: PodFailure = {
  reason: "DeadlineExceeded",
  message: "Pod was active on the node longer than the specified deadline",
};
