import type { Node, Pod } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { formatTime } from "@coxswain/apimachinery/time";
import type { Client } from "@coxswain/client";
import { createSharedInformer } from "@coxswain/client/informers";
import type { NodeMetrics, PodMetrics, UsageReader } from "@coxswain/kubelet";
import type { Runtime } from "@coxswain/runtime";
import { runEvery } from "@coxswain/runtime/wait";
import { type NodePoints, parseUsage } from "./parse-usage.js";
import { type UsageRate, usageRate } from "./usage-rate.js";

export interface ScrapedUsageOptions {
  /** May list and watch nodes, list pods, and get `nodes/proxy`. */
  readonly client: Client;
  /** Whether somebody else knows what a node uses. */
  isExcluded(nodeName: string): boolean;
}

export interface ScrapedUsage extends UsageReader {
  stop(): Promise<void>;
}

/** metrics-server's resolution and the time that one kubelet has, in milliseconds. */
const everyMs = 15_000;
const timeoutMs = 10_000;
/** Kubelets that are asked at once. */
const atOnce = 20;
/** Of one answer, in bytes: 110 pods of some containers are 100 KiB. A kubelet that sends more is cut off. */
const maxBytes = 16 * 1024 * 1024;

interface Looks {
  readonly last: NodePoints;
  readonly before: NodePoints | undefined;
}

/** What nodes of other processes use: their kubelets' `/metrics/resource`, through the API server, every 15 s, as metrics-server reads it. */
export function startScrapedUsage(runtime: Runtime, { client, isExcluded }: ScrapedUsageOptions): ScrapedUsage {
  const { clock, log } = runtime;
  const ending = new AbortController();
  const nodes = createSharedInformer<Node>({ listerWatcher: client.core.v1.nodes(), runtime });
  const looks = new Map<string, Looks>();

  async function look(name: string): Promise<void> {
    try {
      const text = await readPage(client, name, ending.signal);
      looks.set(name, { last: parseUsage(text, clock.now()), before: looks.get(name)?.last });
    } catch (error) {
      looks.delete(name);
      if (!ending.signal.aborted) log.debug("the usage of a node cannot be read", { node: name, error });
    }
  }

  async function lookAtAll(): Promise<void> {
    const names = nodes.indexer.list().flatMap(({ metadata }) => metadata?.name ?? []);
    const wanted = names.filter((name) => !isExcluded(name));
    for (const name of looks.keys()) if (!wanted.includes(name)) looks.delete(name);
    const rest = wanted.values();
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (const name of rest) await look(name);
      }),
    );
  }

  nodes.start();
  const looking = runEvery(lookAtAll, { intervalMs: everyMs, sliding: false, clock, signal: ending.signal });

  const ofNode = (name: string): NodeMetrics | undefined => {
    const { last, before } = looks.get(name) ?? {};
    const rate = last?.node && usageRate(last.node, before?.node);
    return rate && nodeMetrics(nodes.indexer.getByKey(name), name, rate);
  };
  const ofPods = (pods: readonly DeepReadonly<Pod>[]): PodMetrics[] =>
    pods.flatMap((pod) => podMetrics(pod, looks.get(pod.spec?.nodeName ?? "")) ?? []);

  return {
    nodeMetrics: async (name) => ofNode(name),
    allNodeMetrics: async () => [...looks.keys()].flatMap((name) => ofNode(name) ?? []),
    async podMetrics(namespace, name) {
      const { items } = await client.core.v1.pods(namespace).list({ fieldSelector: `metadata.name=${name}` });
      return ofPods(items)[0];
    },
    async allPodMetrics(namespace) {
      if (looks.size === 0) return [];
      return ofPods((await client.core.v1.pods(namespace).list()).items);
    },
    async stop() {
      ending.abort();
      await nodes.stop();
      await looking;
    },
  };
}

async function readPage({ rest }: Client, node: string, signal: AbortSignal): Promise<string> {
  const path = `/api/v1/nodes/${node}/proxy/metrics/resource`;
  const response = await rest.open({ method: "GET", path, headers: { accept: "text/plain" }, signal, timeoutMs });
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.stream()) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`the page is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

const apiVersion = "metrics.k8s.io/v1beta1";

const nodeMetrics = (node: DeepReadonly<Node> | undefined, name: string, rate: UsageRate): NodeMetrics => ({
  kind: "NodeMetrics",
  apiVersion,
  metadata: { name, ...labelsOf(node), creationTimestamp: formatTime(rate.at) },
  timestamp: formatTime(rate.at),
  window: windowOf(rate),
  usage: quantities(rate),
});

/** Undefined where one of its containers has no usage yet: a sum of some would mislead autoscalers. */
function podMetrics(pod: DeepReadonly<Pod>, looks: Looks | undefined): PodMetrics | undefined {
  const { name = "", namespace = "" } = pod.metadata ?? {};
  const key = `${namespace}/${name}`;
  const [last, before] = [looks?.last.pods.get(key), looks?.before?.pods.get(key)];
  if (!last || last.size === 0) return undefined;
  const rates = [...last].map(([container, point]) => ({ container, rate: usageRate(point, before?.get(container)) }));
  const known = rates.flatMap(({ container, rate }) => (rate ? [{ name: container, rate }] : []));
  const [first] = known.toSorted((a, b) => a.rate.at - b.rate.at);
  if (!first || known.length < rates.length) return undefined;
  return {
    kind: "PodMetrics",
    apiVersion,
    metadata: { name, namespace, ...labelsOf(pod), creationTimestamp: formatTime(first.rate.at) },
    timestamp: formatTime(first.rate.at),
    window: windowOf(first.rate),
    containers: known.map(({ name: container, rate }) => ({ name: container, usage: quantities(rate) })),
  };
}

const labelsOf = ({ metadata }: DeepReadonly<Node | Pod> = {}): { labels?: Readonly<Record<string, string>> } =>
  metadata?.labels ? { labels: metadata.labels } : {};

/** As Go prints a duration. */
const windowOf = ({ windowMs }: UsageRate): string => `${windowMs / 1000}s`;

const quantities = ({ cpuNanoCores, memoryBytes }: UsageRate): { cpu: string; memory: string } => ({
  cpu: `${Math.round(cpuNanoCores)}n`,
  memory: `${Math.ceil(memoryBytes / 1024)}Ki`,
});
