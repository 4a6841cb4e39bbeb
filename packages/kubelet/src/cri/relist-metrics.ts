import type { Clock } from "@coxswain/runtime/clock";
import type { Metrics } from "@coxswain/runtime/metrics";

/** Counts looks at all containers under upstream's names (pkg/kubelet/pleg/generic.go). */
export interface RelistMetrics {
  /** @returns what is called when the list is there */
  begin(): () => void;
  /** The runtime reported something by itself. */
  seen(): void;
}

/** Prometheus' default. */
const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

export function createRelistMetrics(metrics: Metrics, clock: Clock): RelistMetrics {
  const histogram = (name: string, help: string) =>
    metrics.histogram({ name: `kubelet_pleg_${name}`, help, buckets, stability: "ALPHA" }).with();
  const durations = histogram("relist_duration_seconds", "Duration in seconds for relisting pods in PLEG.");
  const intervals = histogram("relist_interval_seconds", "Interval in seconds between relisting in PLEG.");
  const lastSeen = metrics
    .gauge({
      name: "kubelet_pleg_last_seen_seconds",
      help: "Timestamp in seconds when PLEG was last seen active.",
      stability: "ALPHA",
    })
    .with();
  const seen = (): void => lastSeen.set(Math.floor(clock.now() / 1000));
  let before: number | undefined;
  return {
    begin() {
      const began = clock.now();
      if (before !== undefined) intervals.observe((began - before) / 1000);
      before = began;
      return () => {
        durations.observe((clock.now() - began) / 1000);
        seen();
      };
    },
    seen,
  };
}
