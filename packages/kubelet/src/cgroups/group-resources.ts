import { amountOf, qosClass } from "@coxswain/api/pods";
import { getOwn } from "@coxswain/apimachinery/own";
import { quantityValue } from "@coxswain/apimachinery/quantity";
import { type Amounts, limitsOf, requestsOf } from "../admission/pod-requests.js";
import { type CachedPod, containersOf, initContainersOf } from "../objects/cached-pod.js";
import { defaultQuotaPeriod, quotaOf, sharesOf } from "../pod/cpu-shares.js";

/** What a control group is limited to, before it is written in the words of a cgroup version. Undefined: left as it is. */
export interface GroupResources {
  /** Weight against siblings; 1,024 for one processor. */
  readonly cpuShares?: number;
  /** Microseconds of processor time in each period; -1: no limit. */
  readonly cpuQuotaMicros?: number;
  readonly cpuPeriodMicros?: number;
  readonly memoryBytes?: number;
  readonly pids?: number;
  /** Bytes by size of the page. */
  readonly hugePages?: ReadonlyMap<number, number>;
}

export interface PodLimits {
  /** cpuCFSQuota: without it limits of CPU are not enforced. */
  readonly enforceCpu: boolean;
  /** cpuCFSQuotaPeriod. */
  readonly cpuPeriodMicros: number;
  /** podPidsLimit; -1: none. */
  readonly pids: number;
}

/** Upstream's defaults. */
export const defaultPodLimits: PodLimits = { enforceCpu: true, cpuPeriodMicros: defaultQuotaPeriod, pids: -1 };

/** Pure: what an allocated pod's group is limited to; as `ResourceConfigForPod` of pkg/kubelet/cm/helpers_linux.go. */
export function podGroupResources(pod: CachedPod, limits: PodLimits): GroupResources {
  const requested = requestsOf(pod);
  const limited = limitsOf(pod);
  const qos = qosClass(pod.spec ?? { containers: [] });
  const common: GroupResources = {
    hugePages: hugePagesOf(requested),
    ...(limits.pids > 0 && { pids: limits.pids }),
  };
  if (qos === "BestEffort") return { ...common, cpuShares: sharesOf(0) };
  const isGuaranteed = qos === "Guaranteed";
  const quota = limits.enforceCpu ? quotaOf(limited.get("cpu") ?? 0, limits.cpuPeriodMicros) : -1;
  return {
    ...common,
    cpuShares: sharesOf(requested.get("cpu") ?? 0),
    ...((isGuaranteed || areAllLimited(pod, "cpu")) && {
      cpuQuotaMicros: quota,
      cpuPeriodMicros: limits.cpuPeriodMicros,
    }),
    ...((isGuaranteed || areAllLimited(pod, "memory")) && { memoryBytes: limited.get("memory") ?? 0 }),
  };
}

/** The pod has a limit of its own, or each of its containers has one: their sum is a limit of the pod. */
function areAllLimited(pod: CachedPod, resource: "cpu" | "memory"): boolean {
  const isSet = (list: Readonly<Record<string, string>> | undefined): boolean =>
    quantityValue(getOwn(list, resource) ?? "0") > 0;
  if (isSet(pod.spec?.resources?.limits)) return true;
  return [...containersOf(pod), ...initContainersOf(pod)].every(({ resources }) => isSet(resources?.limits));
}

export interface NodeCapacity {
  readonly processors: number;
  readonly memoryBytes: number;
  readonly hugePages: readonly { readonly sizeBytes: number; readonly count: number }[];
  readonly maxProcesses: number;
}

/**
 * Pure: what all pods of a node may use together: what the machine has without what is reserved (`systemReserved`, `kubeReserved`).
 * What eviction keeps free is not taken off, so that a pod is evicted before the kernel kills one. As
 * `getNodeAllocatableInternalAbsolute` of pkg/kubelet/cm/node_container_manager_linux.go.
 */
export function nodeGroupResources(
  { processors, memoryBytes, hugePages, maxProcesses }: NodeCapacity,
  reserved: readonly Readonly<Record<string, string>>[],
): GroupResources {
  const left = (resource: string, capacity: number): number =>
    Math.max(
      0,
      reserved.reduce((sum, list) => sum - amountOf(resource, getOwn(list, resource) ?? "0"), capacity),
    );
  return {
    cpuShares: sharesOf(left("cpu", processors * 1000)),
    memoryBytes: left("memory", memoryBytes),
    pids: left("pid", maxProcesses),
    hugePages: new Map(hugePages.map(({ sizeBytes, count }) => [sizeBytes, sizeBytes * count])),
  };
}

const hugePagePrefix = "hugepages-";

/** Pure: bytes by size of the page, of resources named `hugepages-2Mi`. */
export function hugePagesOf(amounts: Amounts): Map<number, number> {
  const found = new Map<number, number>();
  for (const [resource, amount] of amounts) {
    if (!resource.startsWith(hugePagePrefix)) continue;
    const size = quantityValue(resource.slice(hugePagePrefix.length));
    found.set(size, (found.get(size) ?? 0) + amount);
  }
  return found;
}
