import type { CgroupLayout } from "./cgroup-layout.js";
import type { GroupResources } from "./group-resources.js";

/** One value of a control group. */
export interface GroupWrite {
  readonly controller: string;
  readonly file: string;
  readonly value: string;
}

export interface WriteFacts {
  readonly version: 1 | 2;
  /** Sizes of huge pages that the machine has, in bytes; without the controller, none. */
  readonly hugePageSizes: readonly number[];
}

/**
 * Pure: what is written to a group's files, in order. As `toResources` of pkg/kubelet/cm/cgroup_manager_linux.go and libcontainer's
 * fs and fs2 write it. A limit of 0 is none: nothing is written.
 */
export function planWrites(resources: GroupResources, facts: WriteFacts): GroupWrite[] {
  const writes = facts.version === 1 ? writesV1(resources) : writesV2(resources);
  return [...writes, ...hugePageWrites(resources, facts)];
}

function writesV1({ cpuShares, cpuQuotaMicros, cpuPeriodMicros, memoryBytes, pids }: GroupResources): GroupWrite[] {
  return [
    ...write("cpu", "cpu.shares", cpuShares),
    ...write("cpu", "cpu.cfs_period_us", cpuPeriodMicros),
    ...write("cpu", "cpu.cfs_quota_us", cpuQuotaMicros),
    ...write("memory", "memory.limit_in_bytes", memoryBytes),
    ...write("pids", "pids.max", pids === -1 ? "max" : pids),
  ];
}

function writesV2({ cpuShares, cpuQuotaMicros, cpuPeriodMicros, memoryBytes, pids }: GroupResources): GroupWrite[] {
  const quota = cpuQuotaMicros === -1 ? "max" : cpuQuotaMicros;
  return [
    ...write("cpu", "cpu.weight", cpuShares && cpuWeight(cpuShares)),
    ...write("cpu", "cpu.max", quota ? `${quota} ${cpuPeriodMicros ?? 100_000}` : undefined),
    ...write("memory", "memory.max", memoryBytes === -1 ? "max" : memoryBytes),
    ...write("pids", "pids.max", pids === -1 ? "max" : pids),
  ];
}

function write(controller: string, file: string, value: string | number | undefined): GroupWrite[] {
  return value === undefined || value === 0 || value === "" ? [] : [{ controller, file, value: String(value) }];
}

/** Pure: from [2, 262144] to [1, 10000]; upstream's `getCPUWeight`. */
export const cpuWeight = (shares: number): number =>
  shares >= 262_144 ? 10_000 : 1 + Math.floor(((shares - 2) * 9999) / 262_142);

/** Pure: upstream's `cpuWeightToCPUShares`. */
export const sharesOfWeight = (weight: number): number => Math.floor(((weight - 1) * 262_142) / 9999) + 2;

/** A size that the resources do not name is limited to nothing. */
function hugePageWrites({ hugePages }: GroupResources, { version, hugePageSizes }: WriteFacts): GroupWrite[] {
  if (!hugePages) return [];
  const suffix = version === 1 ? "limit_in_bytes" : "max";
  return hugePageSizes.map((size) => ({
    controller: "hugetlb",
    file: `hugetlb.${pageSizeName(size)}.${suffix}`,
    value: String(hugePages.get(size) ?? 0),
  }));
}

/** Pure: as the kernel names files: 2MB, 1GB. */
export function pageSizeName(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let [size, unit] = [bytes, 0];
  while (size >= 1024 && unit < units.length - 1) [size, unit] = [size / 1024, unit + 1];
  return `${size}${units[unit]}`;
}

/** What a QoS class is limited to: nothing. */
export const unlimitedHugePages = (sizes: readonly number[]): Map<number, number> =>
  new Map(sizes.map((size) => [size, 2 ** 62]));

export const hugePageSizesOf = ({ controllers }: CgroupLayout, sizes: readonly number[]): readonly number[] =>
  controllers.has("hugetlb") ? sizes : [];
