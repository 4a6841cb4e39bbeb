/** Numbers of upstream's `pkg/kubelet/cm/helpers_linux.go`. */
const [minShares, maxShares, sharesPerCpu] = [2, 262_144, 1024];
const minQuota = 1000;

/** Of a second, in microseconds: how often a quota is refilled. */
export const defaultQuotaPeriod = 100_000;

/** What the kernel's scheduler weighs a request of CPU with. */
export function sharesOf(milliCpu: number): number {
  if (milliCpu === 0) return minShares;
  return Math.min(maxShares, Math.max(minShares, Math.trunc((milliCpu * sharesPerCpu) / 1000)));
}

/** The request that leads to these shares. */
export const milliCpuOfShares = (shares: number): number => Math.ceil((shares * 1000) / sharesPerCpu);

/** Microseconds of CPU per period that a limit allows; 0: no limit. */
export function quotaOf(milliCpu: number, period: number = defaultQuotaPeriod): number {
  if (milliCpu === 0) return 0;
  return Math.max(minQuota, Math.trunc((milliCpu * period) / 1000));
}

export const milliCpuOfQuota = (quota: number, period: number): number =>
  period > 0 ? Math.trunc((quota * 1000) / period) : 0;
