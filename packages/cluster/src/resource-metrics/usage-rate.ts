import type { UsagePoint } from "./parse-usage.js";

/** What is used now, by the difference of two points. */
export interface UsageRate {
  /** Of the later one, in milliseconds since 1970. */
  readonly at: number;
  readonly windowMs: number;
  readonly cpuNanoCores: number;
  readonly memoryBytes: number;
}

/** A container that began after the last look counts from its start on, once it is so many milliseconds old (metrics-server, pkg/storage/pod.go). */
const freshContainerMs = 10_000;

/** Pure. Undefined: two points are needed and there is one, or the later one is no later. */
export function usageRate(last: UsagePoint, before: UsagePoint | undefined): UsageRate | undefined {
  const start = last.startedAt * 1000;
  const isRestarted = start > 0 && (before === undefined || start > before.at || last.cpuSeconds < before.cpuSeconds);
  if (isRestarted && last.at - start < freshContainerMs) return undefined;
  const from = isRestarted ? { at: start, cpuSeconds: 0 } : before;
  if (!from || last.at <= from.at || last.cpuSeconds < from.cpuSeconds) return undefined;
  const windowMs = last.at - from.at;
  return {
    at: last.at,
    windowMs,
    cpuNanoCores: ((last.cpuSeconds - from.cpuSeconds) * 1e12) / windowMs,
    memoryBytes: last.memoryBytes,
  };
}
