import type { KubeletFigures } from "./measure-kubelet.js";

/** Pure: the value below which so many of a hundred lie. */
export function percentile(values: readonly number[], percent: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil((percent / 100) * sorted.length) - 1)] ?? Number.NaN;
}

/** Pure: figures of both, and ours in upstream's. */
export function report(ours: KubeletFigures, upstream: KubeletFigures): string[] {
  const row = (what: string, unit: string, of: (figures: KubeletFigures) => number): string => {
    const [mine, theirs] = [of(ours), of(upstream)];
    const text = (value: number): string => `${value.toFixed(value < 10 ? 2 : 0)} ${unit}`;
    return `${what}: ours ${text(mine)}, upstream's ${text(theirs)}, ratio ${(mine / theirs).toFixed(2)}`;
  };
  const { loopDelay } = ours;
  return [
    row("pod start, median", "ms", ({ startMs }) => percentile(startMs, 50)),
    row("pod start, p99", "ms", ({ startMs }) => percentile(startMs, 99)),
    row("memory with these pods", "MB", ({ megabytes }) => megabytes),
    row("processor at rest with them", "% of one", ({ idlePercent }) => idlePercent),
    row("many pods at once, until all run", "ms", ({ burst }) => burst.ms),
    row("processor time for each of them", "ms", ({ burst }) => burst.cpuMsPerPod),
    ...(loopDelay
      ? [`delay of our event loop meanwhile: p99 ${loopDelay.p99.toFixed(1)} ms, max ${loopDelay.max.toFixed(0)} ms`]
      : []),
  ];
}
