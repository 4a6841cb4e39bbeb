/** Upper bounds of durations in seconds: the defaults of Prometheus' client, which upstream's prober_probe_duration_seconds has. */
export const probeDurationBuckets: readonly number[] = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** What is counted of one probe of a container, for `/metrics/probes`. */
export interface ProbeTally {
  readonly successful: number;
  readonly failed: number;
  /** Of the successful ones, by bucket; the last one is of those beyond. */
  readonly durations: readonly number[];
  readonly durationSum: number;
}

export const noProbes: ProbeTally = { successful: 0, failed: 0, durations: [], durationSum: 0 };

/** Pure: one more result. The time of failures is not measured, as upstream's (pkg/kubelet/prober/worker.go, doProbe). */
export function addProbe(tally: ProbeTally, isSuccess: boolean, seconds: number): ProbeTally {
  if (!isSuccess) return { ...tally, failed: tally.failed + 1 };
  const found = probeDurationBuckets.findIndex((bound) => seconds <= bound);
  const bucket = found < 0 ? probeDurationBuckets.length : found;
  const durations = Array.from({ length: probeDurationBuckets.length + 1 }, (_, i) => tally.durations[i] ?? 0);
  durations[bucket] = (durations[bucket] ?? 0) + 1;
  return { ...tally, successful: tally.successful + 1, durations, durationSum: tally.durationSum + seconds };
}
