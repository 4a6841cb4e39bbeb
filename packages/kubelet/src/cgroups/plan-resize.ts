import type { GroupLimits } from "./cgroup-tree.js";
import type { GroupResources } from "./group-resources.js";

/**
 * Pure: the values of a pod's group that change before its containers (those that grow) or after them (those that shrink), so that
 * containers never have more than their pod. A limit that the pod no longer has stays, as upstream leaves it. As `doPodResizeAction`
 * of pkg/kubelet/kuberuntime/kuberuntime_manager.go.
 */
export function planResize(now: GroupLimits, wanted: GroupResources, order: "grow" | "shrink"): GroupResources {
  const isDue = (from: number | undefined, to: number | undefined): boolean => {
    if (to === undefined || to === from) return false;
    // No limit is more than any limit.
    const [before, after] = [from ?? Infinity, to === -1 ? Infinity : to];
    return order === "grow" ? after > before : after < before;
  };
  return {
    ...(isDue(now.memoryBytes, wanted.memoryBytes) && { memoryBytes: wanted.memoryBytes as number }),
    ...(isDue(now.cpuQuotaMicros, wanted.cpuQuotaMicros) && {
      cpuQuotaMicros: wanted.cpuQuotaMicros as number,
      cpuPeriodMicros: wanted.cpuPeriodMicros as number,
    }),
    ...(isDue(now.cpuShares, wanted.cpuShares) && { cpuShares: wanted.cpuShares as number }),
  };
}
