import type { Metrics } from "@coxswain/runtime/metrics";
import type { ContainerKind } from "../runtime/container-runtime.js";
import { createLifeMetrics, type LifeMetrics } from "./life-metrics.js";

/** What the workers of all pods count, under upstream's names (pkg/kubelet/metrics/metrics.go). */
export interface PodMetrics extends LifeMetrics {
  /** A sandbox is asked for. */
  podStarts(hasOwnUsers: boolean): void;
  podFailed(hasOwnUsers: boolean): void;
  containerStarts(kind: ContainerKind): void;
  /** @param reason "ErrImagePull" */
  containerFailed(kind: ContainerKind, reason: string): void;
  imagePulled(sizeBytes: number, ms: number): void;
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
    ...createLifeMetrics(metrics),
  };
}
