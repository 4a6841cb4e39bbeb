import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import type { StartLatency } from "../pod/start-latency.js";

/** How long pods take on their way, and why they leave early (pkg/kubelet/metrics/metrics.go). */
export interface LifeMetrics {
  /** The node does not take the pod. @param reason "OutOfcpu" */
  podRejected(reason: string): void;
  /** @param signal "memory.available" */
  podEvicted(signal: string): void;
  /** One step of a pod's worker. */
  podSynced(operation: "create" | "sync" | "kill", ms: number): void;
  statusWritten(ms: number): void;
  /** Of the runtime; it failed where `ms` is undefined. */
  sandboxMade(runtimeHandler: string, ms: number | undefined): void;
  /** Its phase became Running so long after the kubelet saw it first. */
  podRuns(ms: number): void;
  /** All its containers have been started, and the API server knows. */
  podStarted(latency: StartLatency): void;
}

/** Prometheus' default. */
const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const startBuckets = [
  0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600,
];

export function createLifeMetrics(metrics: Metrics): LifeMetrics {
  const counter = (name: string, help: string, ...labels: string[]) =>
    metrics.counter({ name: `kubelet_${name}`, help, labels, stability: "ALPHA" });
  const histogram = (name: string, help: string, buckets: readonly number[], ...labels: string[]) =>
    metrics.histogram({ name: `kubelet_${name}`, help, labels, buckets, stability: "ALPHA" });
  const rejections = counter("admission_rejections_total", "Cumulative number pod admission rejections.", "reason");
  const evictions = counter("evictions", "Cumulative number of pod evictions by eviction signal", "eviction_signal");
  const syncs = histogram(
    "pod_worker_duration_seconds",
    "Duration in seconds to sync a single pod. Broken down by operation type: create, update, or sync",
    defaultBuckets,
    "operation_type",
  );
  const writes = histogram(
    "pod_status_sync_duration_seconds",
    "Duration in seconds from a change of a pod's status until the API server has it.",
    [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 20, 30, 45, 60],
  );
  const sandboxes = histogram(
    "run_podsandbox_duration_seconds",
    "Duration in seconds of the run_podsandbox operations. Broken down by RuntimeClass.Handler.",
    exponentialBuckets(0.005, 2.5, 14),
    "runtime_handler",
  );
  const sandboxErrors = counter(
    "run_podsandbox_errors_total",
    "Cumulative number of the run_podsandbox operation errors by RuntimeClass.Handler.",
    "runtime_handler",
  );
  const runs = histogram(
    "pod_start_duration_seconds",
    "Duration in seconds from kubelet seeing a pod for the first time to the pod starting to run",
    startBuckets,
  );
  const starts = histogram(
    "pod_start_total_duration_seconds",
    "Duration in seconds from a pod's creation until all its containers are reported as started.",
    startBuckets,
  );
  const indicators = histogram(
    "pod_start_sli_duration_seconds",
    "The same without pulls of images and init containers, of pods without volumes of others.",
    startBuckets,
  );
  const firstIndicator = metrics.gauge({
    name: "kubelet_first_network_pod_start_sli_duration_seconds",
    help: "The same of the first pod with a network of its own.",
    stability: "INTERNAL",
  });
  let hasNetworkPod = false;
  return {
    podRejected: (reason) => rejections.with(reason).add(1),
    podEvicted: (signal) => evictions.with(signal).add(1),
    podSynced: (operation, ms) => syncs.with(operation).observe(ms / 1000),
    statusWritten: (ms) => writes.with().observe(ms / 1000),
    sandboxMade(runtimeHandler, ms) {
      if (ms === undefined) sandboxErrors.with(runtimeHandler).add(1);
      else sandboxes.with(runtimeHandler).observe(ms / 1000);
    },
    podRuns: (ms) => runs.with().observe(ms / 1000),
    podStarted({ totalMs, sliMs, isStateful, hasOwnNetwork }) {
      starts.with().observe(totalMs / 1000);
      if (isStateful) return;
      indicators.with().observe(sliMs / 1000);
      if (!hasOwnNetwork || hasNetworkPod) return;
      hasNetworkPod = true;
      firstIndicator.with().set(sliMs / 1000);
    },
  };
}
