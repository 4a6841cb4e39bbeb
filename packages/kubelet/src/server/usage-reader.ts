import { formatTime } from "@coxswain/apimachinery/time";
import type { NodeAgent } from "../node/node-agent.js";
import { type CachedPod, nameOf, namespaceOf } from "../objects/cached-pod.js";
import type { ContainerStats, PodStats } from "../runtime/container-runtime.js";
import type { KubeletSource } from "./kubelet-source.js";

/** Usage as `metrics.k8s.io/v1beta1` has it. */
export interface NodeMetrics {
  readonly kind: "NodeMetrics";
  readonly apiVersion: "metrics.k8s.io/v1beta1";
  readonly metadata: MetricsMeta;
  readonly timestamp: string;
  /** The time over which it was measured. */
  readonly window: string;
  readonly usage: ResourceUsage;
}

export interface PodMetrics {
  readonly kind: "PodMetrics";
  readonly apiVersion: "metrics.k8s.io/v1beta1";
  readonly metadata: MetricsMeta;
  readonly timestamp: string;
  readonly window: string;
  readonly containers: readonly { readonly name: string; readonly usage: ResourceUsage }[];
}

export interface ResourceUsage {
  readonly cpu: string;
  readonly memory: string;
}

interface MetricsMeta {
  readonly name: string;
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly creationTimestamp: string;
}

/** What nodes and pods use. Nodes that are cut off and pods that do not run have none. */
export interface UsageReader {
  nodeMetrics(name: string): Promise<NodeMetrics | undefined>;
  allNodeMetrics(): Promise<NodeMetrics[]>;
  podMetrics(namespace: string, name: string): Promise<PodMetrics | undefined>;
  /** @param namespace undefined: of all of them */
  allPodMetrics(namespace?: string): Promise<PodMetrics[]>;
}

/** metrics-server's resolution. */
const window = "15s";

export function createUsageReader({
  agents,
  source,
}: {
  agents: ReadonlyMap<string, NodeAgent>;
  source: Pick<KubeletSource, "findPod">;
}): UsageReader {
  function ofPod(pod: CachedPod, stats: PodStats | undefined): PodMetrics | undefined {
    if (!stats || stats.containers.length === 0) return undefined;
    const { labels } = pod.metadata ?? {};
    const timestamp = formatTime(stats.at);
    return {
      kind: "PodMetrics",
      apiVersion: "metrics.k8s.io/v1beta1",
      metadata: {
        name: nameOf(pod),
        namespace: namespaceOf(pod),
        ...(labels && { labels }),
        creationTimestamp: timestamp,
      },
      timestamp,
      window,
      containers: stats.containers.map((each) => ({ name: each.name, usage: quantities([each]) })),
    };
  }

  async function ofNode(agent: NodeAgent): Promise<NodeMetrics | undefined> {
    if (!agent.isConnected) return undefined;
    const all: ContainerStats[] = [];
    const usage = await statsOf(agent);
    for (const { uid } of agent.workers.values()) for (const stats of usage.get(uid)?.containers ?? []) all.push(stats);
    const timestamp = formatTime(agent.context.runtime.clock.now());
    const { labels } = agent.context.node()?.metadata ?? {};
    return {
      kind: "NodeMetrics",
      apiVersion: "metrics.k8s.io/v1beta1",
      metadata: { name: agent.name, ...(labels && { labels }), creationTimestamp: timestamp },
      timestamp,
      window,
      usage: quantities([...all, nodeItself]),
    };
  }

  return {
    async nodeMetrics(name) {
      const agent = agents.get(name);
      return agent && ofNode(agent);
    },
    async allNodeMetrics() {
      const all: NodeMetrics[] = [];
      for (const agent of agents.values()) {
        const metrics = await ofNode(agent);
        if (metrics) all.push(metrics);
      }
      return all.sort((a, b) => (a.metadata.name < b.metadata.name ? -1 : 1));
    },
    async podMetrics(namespace, name) {
      const found = source.findPod(namespace, name);
      return found && ofPod(found.worker.pod(), (await statsOf(found.agent)).get(found.worker.uid));
    },
    async allPodMetrics(namespace) {
      const all: PodMetrics[] = [];
      for (const agent of agents.values()) {
        const usage = await statsOf(agent);
        for (const worker of agent.workers.values()) {
          const pod = worker.pod();
          if (namespace !== undefined && namespaceOf(pod) !== namespace) continue;
          const metrics = ofPod(pod, usage.get(worker.uid));
          if (metrics) all.push(metrics);
        }
      }
      return all.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
    },
  };
}

/** Of a node that is cut off: nothing. */
const statsOf = async (agent: NodeAgent): Promise<ReadonlyMap<string, PodStats>> =>
  agent.isConnected ? agent.context.containers.listStats() : new Map();

const keyOf = ({ metadata }: PodMetrics): string => `${metadata.namespace}/${metadata.name}`;

/** What the kubelet and the system take. */
const nodeItself: Pick<ContainerStats, "cpuNanoCores" | "memoryBytes"> = {
  cpuNanoCores: 50e6,
  memoryBytes: 256 * 1024 * 1024,
};

function quantities(stats: readonly Pick<ContainerStats, "cpuNanoCores" | "memoryBytes">[]): ResourceUsage {
  let [cpu, memory] = [0, 0];
  for (const { cpuNanoCores, memoryBytes } of stats) {
    cpu += cpuNanoCores;
    memory += memoryBytes;
  }
  return { cpu: `${Math.round(cpu)}n`, memory: `${Math.ceil(memory / 1024)}Ki` };
}
