import type { DeepReadonly } from "@coxswain/api";
import type { Node } from "@coxswain/api/core/v1";
import { compareUtf8 } from "@coxswain/apimachinery/text";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import { type CachedPod, isBeingDeleted } from "../pods/pod-state.js";

export type CachedNode = DeepReadonly<Node>;

/** Why a pod is deleted by force: the label of metrics. */
export type Reason = "terminated" | "out-of-service" | "orphaned" | "unscheduled";

/** Pure: why a pod whose node is this one, or not there, can no longer end by itself. */
export function planPod(pod: CachedPod, node: CachedNode | undefined): Reason | undefined {
  if (!isBeingDeleted(pod)) return undefined;
  if (!pod.spec?.nodeName) return "unscheduled";
  return node && isOutOfService(node) ? "out-of-service" : undefined;
}

/** Its kubelet does not answer, and the node is tainted as out of service: its pods can be taken for stopped. */
export const isOutOfService = ({ spec, status }: CachedNode): boolean =>
  status?.conditions?.find(({ type }) => type === "Ready")?.status !== "True" &&
  (spec?.taints?.some(({ key }) => key === "node.kubernetes.io/out-of-service") ?? false);

/** It has stopped and is kept only to be looked at. */
export const isTerminated = ({ status }: CachedPod): boolean =>
  status?.phase !== "Pending" && status?.phase !== "Running" && status?.phase !== "Unknown";

/** Pure: terminated pods beyond the threshold; evicted ones first, then the oldest. */
export function planSurplus(terminated: readonly CachedPod[], threshold: number): CachedPod[] {
  const surplus = terminated.length - threshold;
  if (threshold <= 0 || surplus <= 0) return [];
  return [...terminated].sort(byEvictionAndAge).slice(0, surplus);
}

function byEvictionAndAge(a: CachedPod, b: CachedPod): number {
  return (
    Number(isEvicted(b)) - Number(isEvicted(a)) ||
    createdAt(a) - createdAt(b) ||
    compareUtf8(a.metadata?.name ?? "", b.metadata?.name ?? "")
  );
}

const isEvicted = ({ status }: CachedPod): boolean => status?.phase === "Failed" && status.reason === "Evicted";

const createdAt = ({ metadata }: CachedPod): number => parseTimeMs(metadata?.creationTimestamp ?? "") ?? 0;
