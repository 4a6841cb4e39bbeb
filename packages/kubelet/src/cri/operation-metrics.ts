import type { Clock } from "@coxswain/runtime/clock";
import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";

/** Counts calls to the container runtime under upstream's names (pkg/kubelet/kuberuntime/instrumented_services.go). */
export interface OperationMetrics {
  /** @param path of the method: `/runtime.v1.RuntimeService/RunPodSandbox` */
  count<T>(path: string, call: () => Promise<T>): Promise<T>;
}

export function createOperationMetrics(metrics: Metrics, clock: Clock): OperationMetrics {
  const labels = ["operation_type"];
  const operations = metrics.counter({
    name: "kubelet_runtime_operations_total",
    help: "Cumulative number of runtime operations by operation type.",
    labels,
    stability: "ALPHA",
  });
  const durations = metrics.histogram({
    name: "kubelet_runtime_operations_duration_seconds",
    help: "Duration in seconds of runtime operations. Broken down by operation type.",
    labels,
    buckets: exponentialBuckets(0.005, 2.5, 14),
    stability: "ALPHA",
  });
  const errors = metrics.counter({
    name: "kubelet_runtime_operations_errors_total",
    help: "Cumulative number of runtime operation errors by operation type.",
    labels,
    stability: "ALPHA",
  });
  return {
    async count(path, call) {
      const operation = operationOf(path);
      operations.with(operation).add(1);
      const began = clock.now();
      try {
        return await call();
      } catch (error) {
        errors.with(operation).add(1);
        throw error;
      } finally {
        durations.with(operation).observe((clock.now() - began) / 1000);
      }
    },
  };
}

/** Pure: `RunPodSandbox` is `run_podsandbox`. */
export function operationOf(path: string): string {
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (name === "UpdateContainerResources") return "update_container";
  return name
    .replaceAll("PodSandbox", "Podsandbox")
    .replaceAll(/(?<!^)[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();
}
