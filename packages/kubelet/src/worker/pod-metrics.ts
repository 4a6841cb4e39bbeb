import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import type { StartLatency } from "../pod/start-latency.js";
import type { ContainerKind } from "../runtime/container-runtime.js";

/** What the workers of all pods count, under upstream's names (pkg/kubelet/metrics/metrics.go). */
export interface PodMetrics {
  /** A sandbox is asked for. */
  podStarts(hasOwnUsers: boolean): void;
  podFailed(hasOwnUsers: boolean): void;
  containerStarts(kind: ContainerKind): void;
  /** @param reason "ErrImagePull" */
  containerFailed(kind: ContainerKind, reason: string): void;
  imagePulled(sizeBytes: number, ms: number): void;
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

const mebi = 1024 * 1024;
/** Lower bounds and names. */
const sizes = [
  [0, "0-10MB"],
  [10 * mebi, "10MB-100MB"],
  [100 * mebi, "100MB-500MB"],
  [500 * mebi, "500MB-1GB"],
  [1024 * mebi, "1GB-5GB"],
  [5 * 1024 * mebi, "5GB-10GB"],
  [10 * 1024 * mebi, "10GB-20GB"],
  [20 * 1024 * mebi, "20GB-30GB"],
  [30 * 1024 * mebi, "30GB-40GB"],
  [40 * 1024 * mebi, "40GB-60GB"],
  [60 * 1024 * mebi, "60GB-100GB"],
  [100 * 1024 * mebi, "GT100GB"],
] as const;
/** Prometheus' default. */
const defaultBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
const startBuckets = [
  0.5, 1, 2, 3, 4, 5, 6, 8, 10, 20, 30, 45, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600,
];
const kinds = { regular: "container", init: "init_container", ephemeral: "ephemeral_container" } as const;

export function createPodMetrics(metrics: Metrics): PodMetrics {
  const counter = (name: string, help: string, ...labels: string[]) =>
    metrics.counter({ name: `kubelet_${name}`, help, labels, stability: "ALPHA" });
  const pods = counter("started_pods_total", "Cumulative number of pods started");
  const podErrors = counter("started_pods_errors_total", "Cumulative number of errors when starting pods");
  const userPods = counter(
    "started_user_namespaced_pods_total",
    "Cumulative number of pods with user namespaces started.",
  );
  const userPodErrors = counter(
    "started_user_namespaced_pods_errors_total",
    "Cumulative number of errors when starting pods with user namespaces.",
  );
  const containers = counter("started_containers_total", "Cumulative number of containers started", "container_type");
  const containerErrors = counter(
    "started_containers_errors_total",
    "Cumulative number of errors when starting containers",
    "container_type",
    "code",
  );
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
  const pulls = metrics.histogram({
    name: "kubelet_image_pull_duration_seconds",
    help: "Duration in seconds to pull an image.",
    labels: ["image_size_in_bytes"],
    buckets: [1, 5, 10, 20, 30, 60, 120, 180, 240, 300, 360, 480, 600, 900, 1200, 1800, 2700, 3600],
    stability: "ALPHA",
  });
  return {
    podStarts(hasOwnUsers) {
      pods.with().add(1);
      if (hasOwnUsers) userPods.with().add(1);
    },
    podFailed(hasOwnUsers) {
      podErrors.with().add(1);
      if (hasOwnUsers) userPodErrors.with().add(1);
    },
    containerStarts: (kind) => containers.with(kinds[kind]).add(1),
    containerFailed: (kind, reason) => containerErrors.with(kinds[kind], reason).add(1),
    imagePulled(sizeBytes, ms) {
      const size = sizes.findLast(([least]) => sizeBytes > least)?.[1] ?? "N/A";
      pulls.with(size).observe(ms / 1000);
    },
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
