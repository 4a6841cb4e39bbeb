import type { PodList } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { nameOf, namespaceOf, uidOf } from "../objects/cached-pod.js";
import type { NodeAgent } from "../node/node-agent.js";
import type { ContainerStats } from "../runtime/container-runtime.js";

/** The pods of a node with the statuses that its kubelet has for them. */
export function podList(agent: NodeAgent): PodList {
  const items = [...agent.workers.values()].map((worker) => {
    const status = worker.wanted();
    return { ...worker.pod(), ...(status && { status: { ...worker.pod().status, ...status } }) };
  });
  return { kind: "PodList", apiVersion: "v1", metadata: {}, items } as PodList;
}

interface PodUsage {
  readonly name: string;
  readonly namespace: string;
  readonly uid: string;
  readonly at: number;
  readonly containers: readonly ContainerStats[];
}

/** What the pods of a node use now. */
export async function usageOf(agent: NodeAgent): Promise<PodUsage[]> {
  const usage: PodUsage[] = [];
  const all = await agent.context.containers.listStats();
  for (const worker of agent.workers.values()) {
    const stats = all.get(worker.uid);
    const pod = worker.pod();
    if (stats && stats.containers.length > 0)
      usage.push({ name: nameOf(pod), namespace: namespaceOf(pod), uid: uidOf(pod), ...stats });
  }
  return usage;
}

const total = (containers: readonly ContainerStats[], of: (stats: ContainerStats) => number): number =>
  containers.reduce((sum, stats) => sum + of(stats), 0);

/** `/stats/summary`. */
export async function statsSummary(agent: NodeAgent): Promise<object> {
  const pods = await usageOf(agent);
  const all = pods.flatMap(({ containers }) => containers);
  const time = formatTime(agent.context.runtime.clock.now());
  const cpu = (containers: readonly ContainerStats[]): object => ({
    time,
    usageNanoCores: Math.round(total(containers, ({ cpuNanoCores }) => cpuNanoCores)),
    usageCoreNanoSeconds: Math.round(total(containers, ({ cpuNanoCoreSeconds }) => cpuNanoCoreSeconds)),
  });
  const memory = (containers: readonly ContainerStats[]): object => {
    const bytes = total(containers, ({ memoryBytes }) => memoryBytes);
    return { time, usageBytes: bytes, workingSetBytes: bytes, rssBytes: bytes };
  };
  return {
    node: { nodeName: agent.name, startTime: time, cpu: cpu(all), memory: memory(all) },
    pods: pods.map(({ name, namespace, uid, containers }) => ({
      podRef: { name, namespace, uid },
      startTime: time,
      containers: containers.map((stats) => ({
        name: stats.name,
        startTime: formatTime(stats.startedAt),
        cpu: cpu([stats]),
        memory: memory([stats]),
      })),
      cpu: cpu(containers),
      memory: memory(containers),
    })),
  };
}

/** `/metrics/resource`, which metrics-server reads. */
export async function resourceMetrics(agent: NodeAgent): Promise<string> {
  const pods = await usageOf(agent);
  const at = agent.context.runtime.clock.now();
  const lines: string[] = [];
  const metric = (name: string, help: string, type: string, rows: readonly string[]): void => {
    lines.push(`# HELP ${name} [STABLE] ${help}`, `# TYPE ${name} ${type}`);
    for (const row of rows) lines.push(`${name}${row} ${at}`);
  };
  const perContainer = (of: (stats: ContainerStats) => number): string[] =>
    pods.flatMap(({ name, namespace, containers }) =>
      containers.map((stats) => `{container="${stats.name}",namespace="${namespace}",pod="${name}"} ${of(stats)}`),
    );
  const perPod = (of: (stats: ContainerStats) => number): string[] =>
    pods.map(({ name, namespace, containers }) => `{namespace="${namespace}",pod="${name}"} ${total(containers, of)}`);
  const all = pods.flatMap(({ containers }) => containers);
  const seconds = ({ cpuNanoCoreSeconds }: ContainerStats): number => cpuNanoCoreSeconds / 1e9;
  const bytes = ({ memoryBytes }: ContainerStats): number => memoryBytes;
  metric(
    "container_cpu_usage_seconds_total",
    "Cumulative cpu time consumed by the container in core-seconds",
    "counter",
    perContainer(seconds),
  );
  metric(
    "container_memory_working_set_bytes",
    "Current working set of the container in bytes",
    "gauge",
    perContainer(bytes),
  );
  metric(
    "container_start_time_seconds",
    "Start time of the container since unix epoch in seconds",
    "gauge",
    perContainer(({ startedAt }) => startedAt / 1000),
  );
  metric("node_cpu_usage_seconds_total", "Cumulative cpu time consumed by the node in core-seconds", "counter", [
    ` ${total(all, seconds)}`,
  ]);
  metric("node_memory_working_set_bytes", "Current working set of the node in bytes", "gauge", [
    ` ${total(all, bytes)}`,
  ]);
  metric(
    "pod_cpu_usage_seconds_total",
    "Cumulative cpu time consumed by the pod in core-seconds",
    "counter",
    perPod(seconds),
  );
  metric("pod_memory_working_set_bytes", "Current working set of the pod in bytes", "gauge", perPod(bytes));
  lines.push(
    "# HELP resource_scrape_error [STABLE] 1 if there was an error while getting container metrics, 0 otherwise",
    "# TYPE resource_scrape_error gauge",
    "resource_scrape_error 0",
  );
  return `${lines.join("\n")}\n`;
}
