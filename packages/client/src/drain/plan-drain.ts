import type { Pod } from "@coxswain/api/core/v1";
import { getOwn } from "@coxswain/apimachinery/own";

export interface DrainPolicy {
  /** Leaves the pods of DaemonSets where they are; they would come back at once. @default false: they are an obstacle */
  readonly ignoreDaemonSets?: boolean;
  /** Evicts pods whose emptyDir volumes are lost with them. @default false: they are an obstacle */
  readonly deleteEmptyDirData?: boolean;
  /** Evicts pods that nobody will create again. @default false: they are an obstacle */
  readonly force?: boolean;
}

/** What to do with one pod. */
export type DrainDecision =
  | { readonly kind: "evict"; readonly warning?: string }
  | { readonly kind: "skip"; readonly warning?: string }
  | { readonly kind: "obstacle"; readonly reason: string };

/**
 * Pure: the rules of kubectl drain, in its order.
 * @param daemonSetExists whether the DaemonSet that owns a pod is still there
 */
export function planPod(
  pod: Pod,
  policy: DrainPolicy,
  daemonSetExists: (pod: Pod, name: string) => boolean,
): DrainDecision {
  const finished = pod.status?.phase === "Succeeded" || pod.status?.phase === "Failed";
  const owner = pod.metadata?.ownerReferences?.find(({ controller }) => controller);
  let warning: string | undefined;
  if (owner?.kind === "DaemonSet" && owner.apiVersion === "apps/v1" && !finished) {
    const isThere = daemonSetExists(pod, owner.name);
    if (!isThere && !policy.force)
      return { kind: "obstacle", reason: `its DaemonSet "${owner.name}" is not there (force)` };
    if (isThere && !policy.ignoreDaemonSets)
      return { kind: "obstacle", reason: "it belongs to a DaemonSet (ignoreDaemonSets)" };
    if (isThere) return { kind: "skip", warning: "it belongs to a DaemonSet" };
    warning = `its DaemonSet "${owner.name}" is not there`;
  }
  // The kubelet makes it from a file; the API cannot delete it.
  if (getOwn(pod.metadata?.annotations, "kubernetes.io/config.mirror") !== undefined) return { kind: "skip" };
  if (pod.spec?.volumes?.some(({ emptyDir }) => emptyDir) && !finished) {
    if (!policy.deleteEmptyDirData) return { kind: "obstacle", reason: "it has local storage (deleteEmptyDirData)" };
    warning = "its local storage is deleted";
  }
  if (owner === undefined && !finished) {
    if (!policy.force) return { kind: "obstacle", reason: "it has no controller (force)" };
    warning = "it has no controller and will not come back";
  }
  return warning === undefined ? { kind: "evict" } : { kind: "evict", warning };
}
