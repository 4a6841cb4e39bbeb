import { quantityValue } from "@coxswain/apimachinery/quantity";
import type { NodeAgent } from "../node/node-agent.js";
import type { NetworkStats } from "../runtime/container-runtime.js";
import { type MetricFamily, metricText } from "./metric-text.js";
import { type ContainerUsage, type PodUsage, usageOf } from "./pod-usage.js";

interface ContainerMetric {
  readonly name: string;
  readonly help: string;
  readonly type: MetricFamily["type"];
  readonly labels?: Readonly<Record<string, string>>;
  of(usage: ContainerUsage): number;
}

/** Of cAdvisor's metrics those that a CRI runtime counts, under cAdvisor's names. */
const containerMetrics: readonly ContainerMetric[] = [
  {
    name: "container_cpu_usage_seconds_total",
    help: "Cumulative cpu time consumed in seconds.",
    type: "counter",
    labels: { cpu: "total" },
    of: ({ cpuNanoCoreSeconds }) => cpuNanoCoreSeconds / 1e9,
  },
  {
    name: "container_fs_usage_bytes",
    help: "Number of bytes that are consumed by the container on this filesystem.",
    type: "gauge",
    of: ({ storageBytes, logs }) => storageBytes - (logs?.usedBytes ?? 0),
  },
  {
    name: "container_memory_rss",
    help: "Size of RSS in bytes.",
    type: "gauge",
    of: ({ memory, memoryBytes }) => memory?.rssBytes ?? memoryBytes,
  },
  {
    name: "container_memory_usage_bytes",
    help: "Current memory usage in bytes, including all memory regardless of when it was accessed",
    type: "gauge",
    of: ({ memory, memoryBytes }) => memory?.usageBytes ?? memoryBytes,
  },
  {
    name: "container_memory_working_set_bytes",
    help: "Current working set in bytes.",
    type: "gauge",
    of: ({ memoryBytes }) => memoryBytes,
  },
  {
    name: "container_processes",
    help: "Number of processes running inside the container.",
    type: "gauge",
    of: ({ processes }) => processes,
  },
  {
    name: "container_start_time_seconds",
    help: "Start time of the container since unix epoch in seconds.",
    type: "gauge",
    of: ({ startedAt }) => startedAt / 1000,
  },
];

const networkMetrics: readonly { readonly name: string; readonly help: string; of(stats: NetworkStats): number }[] = [
  {
    name: "container_network_receive_bytes_total",
    help: "Cumulative count of bytes received",
    of: ({ rxBytes }) => rxBytes,
  },
  {
    name: "container_network_receive_errors_total",
    help: "Cumulative count of errors encountered while receiving",
    of: ({ rxErrors }) => rxErrors,
  },
  {
    name: "container_network_transmit_bytes_total",
    help: "Cumulative count of bytes transmitted",
    of: ({ txBytes }) => txBytes,
  },
  {
    name: "container_network_transmit_errors_total",
    help: "Cumulative count of errors encountered while transmitting",
    of: ({ txErrors }) => txErrors,
  },
];

/** `/metrics/cadvisor`. */
export async function cadvisorMetrics(agent: NodeAgent): Promise<string> {
  const pods = await usageOf(agent);
  const { cpu = "0", memory = "0" } = agent.context.node()?.status?.capacity ?? {};
  const machine = (name: string, help: string, value: number): MetricFamily => ({
    name,
    help,
    type: "gauge",
    samples: [{ value }],
  });
  return metricText([
    ...containerMetrics.map((metric) => ofContainers(metric, pods)),
    ...networkMetrics.map(
      ({ name, help, of }): MetricFamily => ({
        name,
        help,
        type: "counter",
        samples: pods.flatMap(({ name: pod, namespace, network = [], at }) =>
          network.map((stats) => ({ labels: { namespace, pod, interface: stats.name }, value: of(stats), at })),
        ),
      }),
    ),
    machine("machine_cpu_cores", "Number of logical CPU cores.", quantityValue(cpu)),
    machine("machine_memory_bytes", "Amount of memory installed on the machine.", quantityValue(memory)),
  ]);
}

const ofContainers = ({ name, help, type, labels, of }: ContainerMetric, pods: readonly PodUsage[]): MetricFamily => ({
  name,
  help,
  type,
  samples: pods.flatMap(({ name: pod, namespace, containers, at }) =>
    containers.map((usage) => ({
      labels: { container: usage.name, image: usage.image, name: usage.id, namespace, pod, ...labels },
      value: of(usage),
      at,
    })),
  ),
});
