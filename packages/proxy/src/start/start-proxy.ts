import { existsSync, readFileSync } from "node:fs";
import type { DeepReadonly } from "@coxswain/api";
import type { Node } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import { pollUntil } from "@coxswain/runtime/wait";
import { type Family, families } from "../addresses/family.js";
import type { ProxyConfig } from "../config/proxy-config.js";
import { type Conntrack, createConntrack } from "../conntrack/run-conntrack.js";
import { ProxyHealth } from "../health/proxy-health.js";
import { ServiceHealthServers } from "../health/service-health-servers.js";
import { createProxyMetrics, type ProxyMetrics } from "../metrics/proxy-metrics.js";
import { createNft, type Nft } from "../nft/run-nft.js";
import {
  chooseNodePortAddresses,
  detectAddresses,
  detectPods,
  type NodeAddresses,
  ownAddresses,
} from "../node/node-facts.js";
import { FamilyProxy } from "../tracking/family-proxy.js";
import { createProxyCaches, type ProxyCaches } from "./proxy-caches.js";
import { createProxyEvents, type ProxyEvents } from "./proxy-events.js";

export interface ProxyOptions {
  readonly client: Client;
  readonly config: ProxyConfig;
  readonly nodeName: string;
  /** @default the programs of this machine */
  readonly nft?: Nft;
  readonly conntrack?: Conntrack;
  /** @default those of the kernel: IPv6 where it has not been disabled */
  readonly families?: readonly Family[];
}

export interface RunningProxy {
  readonly health: ProxyHealth;
  /** Resolves when the rules of all families are in the kernel for the first time; rejects if the proxy cannot begin. */
  readonly ready: Promise<void>;
  /** The tables stay: connections go on. */
  stop(): Promise<void>;
}

/** Upstream's waits for the node to have addresses, and a pod network where that is needed. */
const nodeWaitMs = 30_000;
const podNetworkWaitMs = 300_000;
const pollMs = 200;

/** Keeps the rules of this node equal to the cluster's services, until it is stopped. */
export function startProxy(runtime: Runtime, options: ProxyOptions): RunningProxy {
  const health = new ProxyHealth(runtime.clock, 2 * options.config.nftables.syncPeriodMs);
  const caches = createProxyCaches(runtime, options);
  const events = createProxyEvents(runtime, options);
  const ending = new AbortController();
  const opened: { stop(): Promise<void> }[] = [];
  const metrics = createProxyMetrics(runtime.metrics);
  const ready = begin(runtime, options, { health, caches, events, metrics, opened, signal: ending.signal });
  // A caller that does not look at `ready` finds the failure in the log.
  ready.catch((error: unknown) => ending.signal.aborted || runtime.log.error("the proxy cannot begin", { error }));
  return {
    health,
    ready,
    async stop() {
      ending.abort();
      await ready.catch(() => {});
      await caches.stop();
      // The proxies first: they were opened last, and what they write to is still there.
      for (const one of opened.reverse()) await one.stop();
      await events.stop();
    },
  };
}

interface Parts {
  readonly health: ProxyHealth;
  readonly caches: ProxyCaches;
  readonly events: ProxyEvents;
  readonly metrics: ProxyMetrics;
  readonly opened: { stop(): Promise<void> }[];
  readonly signal: AbortSignal;
}

async function begin(runtime: Runtime, options: ProxyOptions, parts: Parts): Promise<void> {
  const { config, nodeName } = options;
  const { caches, health, events, opened, signal } = parts;
  caches.node.start();
  await caches.node.whenSynced(signal);
  const node = await untilNodeIsKnown(runtime, options, parts);
  health.node = node;
  const addresses = detectAddresses(node, config.bindAddress);
  const proxies = (options.families ?? supportedFamilies()).map((family) => {
    const healthServers = createHealthServers(options, parts, { family, addresses });
    opened.push(healthServers);
    return new FamilyProxy(runtime, {
      settings: {
        family,
        masqueradeBit: config.nftables.masqueradeBit,
        masqueradeAll: config.nftables.masqueradeAll,
        fromPods: detectPods(config, node?.spec?.podCIDRs ?? [], family),
        nodePortAddresses: chooseNodePortAddresses(config.nodePortAddresses, family, {
          addresses,
          own: ownAddresses(),
        }),
        serviceNetworks: [],
      },
      node: { name: nodeName, zone: zoneOf(node), family, address: addresses[family] },
      nft: options.nft ?? createNft(runtime.ioClock),
      conntrack: options.conntrack ?? createConntrack(runtime.ioClock),
      metrics: parts.metrics,
      health,
      healthServers,
      minSyncPeriodMs: config.nftables.minSyncPeriodMs,
      syncPeriodMs: config.nftables.syncPeriodMs,
    });
  });
  for (const proxy of proxies) opened.push(proxy);
  followNode(proxies, { config, health, caches, addresses, nodeName });
  await caches.follow(proxies, parts.metrics, signal);
  events.started();
  for (const proxy of proxies) proxy.open();
  await pollUntil(() => health.isWritten, { intervalMs: pollMs, clock: runtime.clock, signal });
}

/** The node with its addresses, or without them after upstream's wait: rules are written all the same. */
async function untilNodeIsKnown(
  runtime: Runtime,
  { config, nodeName }: ProxyOptions,
  { caches, signal }: Parts,
): Promise<DeepReadonly<Node> | undefined> {
  const { clock, log } = runtime;
  const find = (): DeepReadonly<Node> | undefined => caches.node.indexer.getByKey(nodeName);
  const wait = (condition: () => boolean, timeoutMs: number): Promise<boolean> =>
    pollUntil(condition, { intervalMs: pollMs, timeoutMs, clock, signal });
  if (!(await wait(() => (find()?.status?.addresses ?? []).length > 0, nodeWaitMs)))
    log.error("the node does not exist or has no addresses; loopback is taken for its own", { node: nodeName });
  const needsPodNetwork = config.detectLocalMode === "NodeCIDR";
  if (needsPodNetwork && !(await wait(() => (find()?.spec?.podCIDRs ?? []).length > 0, podNetworkWaitMs)))
    throw new Error(`timeout waiting for PodCIDR allocation on node "${nodeName}"`);
  return find();
}

const zoneOf = (node: DeepReadonly<Node> | undefined): string =>
  node?.metadata?.labels?.["topology.kubernetes.io/zone"] ?? "";

/** Health checks of load balancers are answered where node ports are. */
function createHealthServers(
  { config, nodeName }: ProxyOptions,
  { health, events }: Parts,
  { family, addresses }: { family: Family; addresses: NodeAddresses },
): ServiceHealthServers {
  const limited = chooseNodePortAddresses(config.nodePortAddresses, family, { addresses, own: ownAddresses() });
  return new ServiceHealthServers({
    hosts: limited ?? [family === "IPv4" ? "0.0.0.0" : "::"],
    isProxyHealthy: () => health.isHealthy,
    onFailed: (service, port, error) => events.healthCheckFailed({ service, port, nodeName, error }),
  });
}

/** A node that changes its zone, its pod network or its taints changes rules or health. */
function followNode(
  proxies: readonly FamilyProxy[],
  about: {
    readonly config: ProxyConfig;
    readonly health: ProxyHealth;
    readonly caches: ProxyCaches;
    readonly addresses: NodeAddresses;
    readonly nodeName: string;
  },
): void {
  const { config, health, caches, addresses, nodeName } = about;
  let known = health.node;
  const changed = (node: DeepReadonly<Node> | undefined): void => {
    health.node = node;
    if (node === undefined) return;
    const [before, podCidrs] = [known, node.spec?.podCIDRs ?? []];
    known = node;
    if (zoneOf(before) !== zoneOf(node))
      for (const proxy of proxies)
        proxy.moveTo({ name: nodeName, zone: zoneOf(node), family: proxy.family, address: addresses[proxy.family] });
    if (config.detectLocalMode === "NodeCIDR" && podCidrs.join() !== (before?.spec?.podCIDRs ?? []).join())
      for (const proxy of proxies) proxy.reconfigure({ fromPods: detectPods(config, podCidrs, proxy.family) });
  };
  caches.node.addHandler({
    onAdd: changed,
    onUpdate: (_old, node) => changed(node),
    onDelete: () => changed(undefined),
  });
}

/** Both, unless the kernel has no IPv6 or it was disabled. */
function supportedFamilies(): readonly Family[] {
  const disabled = "/proc/sys/net/ipv6/conf/all/disable_ipv6";
  const hasV6 =
    existsSync("/proc/net/if_inet6") && !(existsSync(disabled) && readFileSync(disabled, "utf8").trim() === "1");
  return hasV6 ? families : ["IPv4"];
}
