import type { ResourceRequirements } from "@coxswain/api/core/v1";
import { amountOf } from "@coxswain/api/pods";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import type { Decoded, Encodable } from "@coxswain/wire/protobuf";
import type { LinuxContainerResources } from "../gen/cri.js";
import type { CachedContainer, CachedPod } from "../objects/cached-pod.js";
import { milliCpuOfQuota, milliCpuOfShares, quotaOf, sharesOf } from "../pod/cpu-shares.js";
import { oomScore } from "../pod/oom-score.js";

export type LinuxResources = Encodable<typeof LinuxContainerResources>;
type Requirements = DeepReadonly<ResourceRequirements>;

export interface ResourceFacts {
  /** Of the machine. */
  readonly memoryBytes: number;
  readonly cgroupVersion: 1 | 2;
  readonly hugePageBytes: readonly number[];
  /** Whether CPU limits are enforced (`cpuCFSQuota`), and in which periods, in microseconds (`cpuCFSQuotaPeriod`). */
  readonly quotaPeriod: number | undefined;
  /** `singleProcessOOMKill`: the kernel kills one process of a container and not all of them. */
  readonly killsSingleProcess: boolean;
}

/** Pure: a container's limits as the kernel takes them. Upstream's `kuberuntime_container_linux.go`, `generateLinuxContainerResources`. */
export function planResources(pod: CachedPod, container: CachedContainer, facts: ResourceFacts): LinuxResources {
  const { requests, limits } = container.resources ?? {};
  const cpuRequest = getOwn(requests, "cpu");
  const cpuLimit = cpuOf(getOwn(limits, "cpu")) || cpuOf(getOwn(pod.spec?.resources?.limits, "cpu"));
  const memory = bytesOf(getOwn(limits, "memory")) || bytesOf(getOwn(pod.spec?.resources?.limits, "memory"));
  const period = facts.quotaPeriod;
  return {
    cpuShares: sharesOf(cpuRequest === undefined ? cpuLimit : cpuOf(cpuRequest)),
    ...(period !== undefined && { cpuPeriod: period, cpuQuota: quotaOf(cpuLimit, period) }),
    ...(memory > 0 && { memoryLimitInBytes: memory }),
    oomScoreAdj: oomScore(pod, container, facts.memoryBytes),
    hugepageLimits: hugePageLimits(limits ?? {}, facts.hugePageBytes),
    ...(facts.cgroupVersion === 2 && !facts.killsSingleProcess && { unified: new Map([["memory.oom.group", "1"]]) }),
  };
}

const cpuOf = (quantity: string | undefined): number =>
  quantity === undefined ? 0 : Math.ceil(amountOf("cpu", quantity));
const bytesOf = (quantity: string | undefined): number =>
  quantity === undefined ? 0 : Math.ceil(amountOf("memory", quantity));

/** Every size of the machine has a limit: none, where the container asks for none of it. */
function hugePageLimits(
  limits: Readonly<Record<string, string>>,
  sizes: readonly number[],
): { pageSize: string; limit: number }[] {
  const asked = new Map(
    ownEntries(limits)
      .filter(([name]) => name.startsWith("hugepages-"))
      .map(([name, quantity]) => [amountOf("memory", name.slice("hugepages-".length)), amountOf("memory", quantity)]),
  );
  return sizes.map((size) => ({ pageSize: pageSizeText(size), limit: asked.get(size) ?? 0 }));
}

/** As the kernel names it in files of cgroups: `2MB`, `1GB`. */
function pageSizeText(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let [size, unit] = [bytes, 0];
  for (; size >= 1024 && unit < units.length - 1; unit++) size /= 1024;
  return `${size}${units[unit]}`;
}

/**
 * Pure: the resources that a running container has, as far as the runtime reports them: `given` is what it was configured with last, and has
 * what the kernel does not keep (requests of memory). Upstream's `helpers_linux.go`, `toKubeContainerResources`.
 */
export function readResources(
  linux: Decoded<typeof LinuxContainerResources> | undefined,
  given: Requirements | undefined,
): Requirements {
  if (!linux) return given ?? {};
  const requests: Record<string, string> = {};
  const limits: Record<string, string> = {};
  if (linux.cpuShares > 0)
    setCpu(requests, milliCpuOfShares(linux.cpuShares), getOwn(given?.requests, "cpu"), sharesOf);
  if (linux.cpuQuota > 0)
    setCpu(limits, milliCpuOfQuota(linux.cpuQuota, linux.cpuPeriod), getOwn(given?.limits, "cpu"), (milli) =>
      quotaOf(milli, linux.cpuPeriod),
    );
  const memory = getOwn(given?.limits, "memory");
  if (linux.memoryLimitInBytes > 0)
    limits["memory"] =
      memory !== undefined && bytesOf(memory) === linux.memoryLimitInBytes ? memory : String(linux.memoryLimitInBytes);
  const memoryRequest = getOwn(given?.requests, "memory");
  if (memoryRequest !== undefined) requests["memory"] = memoryRequest;
  return {
    ...(Object.keys(limits).length > 0 && { limits }),
    ...(Object.keys(requests).length > 0 && { requests }),
  };
}

/** What was asked for, where that leads to the same number; else what the number stands for. The least shares stand for no request. */
function setCpu(
  into: Record<string, string>,
  milli: number,
  given: string | undefined,
  inKernel: (milli: number) => number,
): void {
  if (given !== undefined && inKernel(cpuOf(given)) === inKernel(milli)) into["cpu"] = given;
  else if (milli > milliCpuOfShares(2)) into["cpu"] = `${milli}m`;
}
