import type { Metrics } from "@coxswain/runtime/metrics";

/** What the controller counts about evictions, under upstream's names (pkg/controller/devicetainteviction/metrics/metrics.go). */
export type EvictionMetrics = ReturnType<typeof createEvictionMetrics>;

export function createEvictionMetrics(metrics: Metrics) {
  const deletions = metrics.counter({
    name: "device_taint_eviction_controller_pod_deletions_total",
    help: "Pods that this controller deleted",
    stability: "ALPHA",
    labels: [],
  });
  const durations = metrics.histogram({
    name: "device_taint_eviction_controller_pod_deletion_duration_seconds",
    help: "Seconds from the time when a pod had to go until it was deleted",
    stability: "ALPHA",
    labels: [],
    buckets: [0.005, 0.025, 0.1, 0.5, 1, 2.5, 10, 30, 60, 120, 180, 240],
  });
  return {
    evicted(seconds: number): void {
      deletions.with().add(1);
      durations.with().observe(seconds);
    },
  };
}
