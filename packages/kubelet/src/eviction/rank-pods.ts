import { requestsOf } from "../admission/pod-requests.js";
import { type CachedPod, isMirrorPod, isStaticPod } from "../objects/cached-pod.js";
import type { ContainerStats, PodStats } from "../runtime/container-runtime.js";
import type { StarvedResource } from "./signals.js";

export interface PodUsage {
  readonly pod: CachedPod;
  /** Undefined: nothing is known of what it uses. */
  readonly stats: PodStats | undefined;
}

/** Priorities from here on are the system's own: upstream's SystemCriticalPriority. */
const systemCritical = 2_000_000_000;

/** Static and mirror pods, and those of the system's own priorities, are never evicted and always admitted. */
export const isCriticalPod = (pod: CachedPod): boolean =>
  isStaticPod(pod) || isMirrorPod(pod) || priorityOf(pod) >= systemCritical;

/**
 * Pure: the pods that a lack of a resource may evict, those that go first in front: pods that use more than they request, then
 * those of lower priority, then those furthest above their requests. Processes cannot be requested: there the priority comes
 * first. Pods of which nothing is known go before others.
 */
export function rankForEviction(pods: readonly PodUsage[], resource: StarvedResource = "memory"): PodUsage[] {
  const ranked = pods
    .filter(({ pod }) => !isCriticalPod(pod))
    .map((usage) => {
      const used = usage.stats && usedBy(usage.stats, resource);
      return {
        usage,
        priority: priorityOf(usage.pod),
        isAbove: used === undefined || (resource !== "pids" && used > requestOf(usage.pod, resource)),
        // Inodes are set against the storage that is requested, as upstream does (pkg/kubelet/eviction/helpers.go, exceedDiskRequests).
        excess:
          used === undefined
            ? Number.POSITIVE_INFINITY
            : used - requestOf(usage.pod, resource === "inodes" ? "ephemeral-storage" : resource),
      };
    });
  ranked.sort(
    (a, b) =>
      Number(b.isAbove) - Number(a.isAbove) ||
      a.priority - b.priority ||
      (b.excess > a.excess ? 1 : b.excess < a.excess ? -1 : 0),
  );
  return ranked.map(({ usage }) => usage);
}

const priorityOf = ({ spec }: CachedPod): number => spec?.priority ?? 0;

const requestOf = (pod: CachedPod, resource: StarvedResource): number => requestsOf(pod).get(resource) ?? 0;

/** What a pod uses of a resource: of storage its containers, their logs and its local volumes. */
export function usedBy({ containers, volumes }: PodStats, resource: StarvedResource): number {
  const sum = (of: (stats: ContainerStats) => number): number => containers.reduce((all, each) => all + of(each), 0);
  switch (resource) {
    case "memory":
      return sum(({ memoryBytes }) => memoryBytes);
    case "ephemeral-storage":
      return sum(({ storageBytes }) => storageBytes) + volumes.reduce((all, { usedBytes }) => all + usedBytes, 0);
    case "inodes":
      return sum(({ inodes }) => inodes);
    case "pids":
      return sum(({ processes }) => processes);
  }
}
