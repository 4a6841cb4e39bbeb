import type { PodStatus } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { isTerminalPhase } from "../objects/cached-pod.js";

/** Pure: the status to report. A pod is reported as over only once none of its containers runs. */
export function withoutEarlyEnd(status: PodStatus, before: DeepReadonly<PodStatus>): PodStatus {
  const all = [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
  if (!isTerminalPhase(status.phase) || !all.some(({ state }) => state?.running)) return status;
  const { reason: _, message: __, ...rest } = status;
  return { ...rest, phase: before.phase ?? "Running" };
}
