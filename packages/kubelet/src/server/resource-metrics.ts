import type { NodeAgent } from "../node/node-agent.js";
import type { ContainerStats } from "../runtime/container-runtime.js";
import { type MetricFamily, type MetricSample, metricText } from "./metric-text.js";
import { total, usageOf } from "./pod-usage.js";

/** `/metrics/resource`, which metrics-server reads (pkg/kubelet/metrics/collectors/resource_metrics.go). */
export async function resourceMetrics(agent: NodeAgent): Promise<string> {
  const pods = await usageOf(agent);
  const { memory, cpuNanoseconds } = await agent.nodeStats();
  const at = agent.context.runtime.clock.now();
  const seconds = ({ cpuNanoCoreSeconds }: ContainerStats): number => cpuNanoCoreSeconds / 1e9;
  const bytes = ({ memoryBytes }: ContainerStats): number => memoryBytes;
  const perContainer = (of: (stats: ContainerStats) => number): MetricSample[] =>
    pods.flatMap(({ name: pod, namespace, containers }) =>
      containers.map((stats) => ({ labels: { container: stats.name, namespace, pod }, value: of(stats), at })),
    );
  const perPod = (of: (stats: ContainerStats) => number): MetricSample[] =>
    pods.map(({ name: pod, namespace, containers }) => ({
      labels: { namespace, pod },
      value: total(containers, of),
      at,
    }));
  const all = pods.flatMap(({ containers }) => containers);
  // Where the machine is not measured, it is what its pods are.
  const isMeasured = cpuNanoseconds !== undefined;
  const nodeSeconds = isMeasured ? cpuNanoseconds / 1e9 : total(all, seconds);
  const nodeBytes = isMeasured ? memory.capacityBytes - memory.availableBytes : total(all, bytes);
  const family = (name: string, help: string, type: MetricFamily["type"], samples: MetricSample[]): MetricFamily => ({
    name,
    help,
    type,
    stability: "STABLE",
    samples,
  });
  const [cpu, workingSet] = ["Cumulative cpu time consumed by the", "Current working set of the"];
  return metricText([
    family("container_cpu_usage_seconds_total", `${cpu} container in core-seconds`, "counter", perContainer(seconds)),
    family("container_memory_working_set_bytes", `${workingSet} container in bytes`, "gauge", perContainer(bytes)),
    family(
      "container_start_time_seconds",
      "Start time of the container since unix epoch in seconds",
      "gauge",
      perContainer(({ startedAt }) => startedAt / 1000),
    ),
    family("node_cpu_usage_seconds_total", `${cpu} node in core-seconds`, "counter", [{ value: nodeSeconds, at }]),
    family("node_memory_working_set_bytes", `${workingSet} node in bytes`, "gauge", [{ value: nodeBytes, at }]),
    family("pod_cpu_usage_seconds_total", `${cpu} pod in core-seconds`, "counter", perPod(seconds)),
    family("pod_memory_working_set_bytes", `${workingSet} pod in bytes`, "gauge", perPod(bytes)),
    family("resource_scrape_error", "1 if there was an error while getting container metrics, 0 otherwise", "gauge", [
      { value: 0 },
    ]),
  ]);
}
