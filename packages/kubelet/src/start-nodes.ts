import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import type { RecordedEvent } from "@coxswain/client/events";
import type { SharedIndexInformer } from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import { during } from "@coxswain/runtime/activity";
import type { PodAddresses } from "./addresses/pod-addresses.js";
import { beatAll } from "./node/beat-all.js";
import { createHeartbeatWheel, type HeartbeatWheel } from "./node/heartbeat-wheel.js";
import { inParallel } from "./node/in-parallel.js";
import { type KubeletRules, kubeletRules, manifestPlaces } from "./node/kubelet-config.js";
import { machineStateOf } from "./node/machine-state.js";
import { NodeAgent } from "./node/node-agent.js";
import { createNodeCaches } from "./node/node-caches.js";
import { kubeletVersion } from "./node/node-object.js";
import type { PlatformFor } from "./node/node-platform.js";
import { type NodeSpec, numberedNodes } from "./node/node-spec.js";
import type { CachedPod } from "./objects/cached-pod.js";
import type { NodeSettings, RunningNodes, StartNodesOptions } from "./running-nodes.js";
import type { InsideConnections } from "./server/inside-connections.js";
import type { KubeletServer } from "./server/kubelet-server.js";
import { createNodeServers } from "./server/node-servers.js";
import type { OwnedAddresses } from "./server/owned-addresses.js";
import { createUsageReader, type UsageReader } from "./server/usage-reader.js";
import { podRangeOf } from "./simulated/node-addresses.js";
import { createSimulatedMachine, type SimulatedMachine } from "./simulated/simulated-machine.js";
import { createSimulatedPlatform, type SimulatedPlatform } from "./simulated/simulated-platform.js";
import { createReferencedObjects, type ReferencedObjects } from "./sources/referenced-objects.js";
import { createNodeStages, type NodeStages } from "./stages/node-stages.js";
import { NodeManifests } from "./static-pods/node-manifests.js";
import type { NodeContext } from "./worker/node-context.js";
import { createNodeEvents, type NodeEvents } from "./worker/node-events.js";
import { createPodMetrics, type PodMetrics } from "./worker/pod-metrics.js";
import { createStatusWriter, type StatusWriter } from "./worker/status-writer.js";

/** Upstream's: a quarter of the lease's 40 s. */
const heartbeatMs = 10_000;
/** What it takes to make a kubelet, in microseconds. */
const microsPerAgent = 200;

export const startNodes = (options: StartNodesOptions): RunningNodes => new ProcessNodes(options);

class ProcessNodes implements RunningNodes {
  readonly ready: Promise<void>;
  readonly server: KubeletServer;
  readonly connections: InsideConnections;
  readonly usage: UsageReader;
  readonly #client: Client;
  readonly #clientFor: (nodeName: string) => Client;
  readonly #runtime: Runtime;
  readonly #settings: NodeSettings;
  readonly #kubelet: KubeletRules;
  readonly #kubeletPort: number;
  readonly #platformFor: PlatformFor;
  /** Whether containers really run: the Node's annotations do not turn the machine off. */
  readonly #isReal: boolean;
  readonly #agents = new Map<string, NodeAgent>();
  readonly #machine: SimulatedMachine;
  readonly #ending = new AbortController();
  readonly #objects: ReferencedObjects;
  readonly #counts: PodMetrics;
  readonly #writer: StatusWriter;
  readonly #events: NodeEvents;
  readonly #pods: SharedIndexInformer<CachedPod>;
  readonly #nodes: SharedIndexInformer<DeepReadonly<Node>>;
  readonly #stages: NodeStages;
  readonly #manifests: NodeManifests;
  readonly #wheel: HeartbeatWheel<NodeAgent>;
  readonly #owned: OwnedAddresses;
  #nextIndex = 0;

  constructor({ client, clientFor = () => client, nodes, runtime, settings = {}, platformFor }: StartNodesOptions) {
    const { clock, activity, scheduler } = runtime;
    const specs = typeof nodes === "number" ? numberedNodes(nodes) : nodes;
    this.#client = client;
    this.#clientFor = clientFor;
    this.#machine = createSimulatedMachine(scheduler, settings);
    this.#runtime = runtime;
    this.#settings = settings;
    this.#kubelet = kubeletRules(settings.kubelet ?? {});
    this.#kubeletPort = settings.kubeletPort ?? 10250;
    this.#objects = createReferencedObjects({ clock });
    const { rules = {}, imageRules = [] } = settings;
    const simulation = { rules, imageRules, machine: this.#machine, objects: this.#objects };
    this.#isReal = platformFor !== undefined;
    this.#platformFor = platformFor ?? ((context) => createSimulatedPlatform(simulation, context));
    this.#counts = createPodMetrics(runtime.metrics);
    this.#writer = createStatusWriter({ runtime, onWritten: (ms) => this.#counts.statusWritten(ms) });
    // A client of its own for each event took 50 µs, four times for each pod: the node has one.
    const clientOf = (name: string): Client => this.#agents.get(name)?.context.client ?? clientFor(name);
    this.#events = createNodeEvents({ clientFor: clientOf, runtime, enabled: settings.events ?? true });
    const caches = createNodeCaches(client, runtime, settings.ownPodsOnly ? specs[0] : undefined);
    this.#pods = caches.pods;
    this.#nodes = caches.nodes;
    this.#stages = this.#createStages();
    this.#manifests = new NodeManifests(manifestPlaces(settings.kubelet ?? {}), runtime, () => {
      for (const agent of this.#agents.values()) this.#handOut(agent);
    });
    this.#wheel = createHeartbeatWheel<NodeAgent>({
      periodMs: heartbeatMs,
      clock,
      beat: (members) => void during(activity, () => beatAll(scheduler, members)),
    });
    const servers = createNodeServers({
      agents: this.#agents,
      pods: this.#pods.indexer,
      kubeletPort: this.#kubeletPort,
      clientOf: clientFor,
      pages: {
        config: () => settings.kubelet ?? {},
        processMetrics: settings.processMetrics ?? (() => ""),
        debugging: settings.kubelet?.enableDebuggingHandlers ?? true,
        systemLogs: settings.systemLogs,
      },
      runtime,
    });
    this.server = servers.server;
    this.connections = servers.connections;
    this.usage = createUsageReader({ agents: this.#agents, source: servers.source });
    this.#owned = servers.owned;
    this.#followCaches();
    this.ready = during(activity, () => this.#begin(specs));
    this.ready.catch(() => {}); // stopped before it was ready; those who wait for it see the error
  }

  #createStages(): NodeStages {
    const settings = this.#settings;
    return createNodeStages({
      client: this.#client,
      given: settings.stages ?? [],
      fromCluster: settings.clusterStages ?? !settings.ownPodsOnly,
      kubeletPort: this.#kubeletPort,
      version: kubeletVersion,
      nodeOf: (name) => this.#agents.get(name),
      objects: () => ({
        pods: this.#pods.indexer.list(),
        nodes: this.#nodes.indexer.list().filter(({ metadata }) => this.agent(metadata?.name ?? "")?.isConnected),
      }),
      podChanged: (pod) => this.#agentOf(pod)?.podChanged(pod),
      processor: this.#machine.processor,
      recordPod: (name, pod, event) => this.#events.recordPod(name, pod, event),
      recordNode: (name, event) => this.#events.recordNode(name, event),
      runtime: this.#runtime,
    });
  }

  #followCaches(): void {
    this.#nodes.addHandler({
      onAdd: (node) => this.#nodeChanged(node),
      onUpdate: (_, node) => this.#nodeChanged(node),
      onDelete: (node) => this.#stages.dropNode(node.metadata?.uid ?? ""),
    });
    this.#pods.addHandler({
      onAdd: (pod) => this.#podChanged(pod, undefined),
      onUpdate: (before, pod) => this.#podChanged(pod, before),
      onDelete: (pod) => this.#agentOf(pod)?.podDeleted(pod),
    });
  }

  #podChanged(pod: CachedPod, before: CachedPod | undefined): void {
    const { podIP } = pod.status ?? {};
    const { onOwned } = this.#settings;
    if (onOwned && podIP !== undefined && podIP !== before?.status?.podIP && !this.#owned.has(podIP))
      this.#own(podIP.includes(":") ? `${podIP}/128` : `${podIP}/32`);
    this.#agentOf(pod)?.podChanged(pod);
  }

  #own(cidr: string): void {
    if (this.#owned.addRange(cidr)) this.#settings.onOwned?.(cidr);
  }

  #agentOf(pod: CachedPod): NodeAgent | undefined {
    return this.#agents.get(pod.spec?.nodeName ?? "");
  }

  #nodeChanged(node: DeepReadonly<Node>): void {
    const agent = this.#agents.get(node.metadata?.name ?? "");
    if (agent) for (const cidr of node.spec?.podCIDRs ?? []) this.#own(cidr);
    if (agent?.isStarted && !this.#isReal)
      void during(this.#runtime.activity, () => agent.followMachine(machineStateOf(node)));
    agent?.nodeChanged(node);
  }

  #handOut(agent: NodeAgent): void {
    agent.setManifests(this.#manifests.of(agent.name));
  }

  async #begin(specs: readonly NodeSpec[]): Promise<void> {
    const { scheduler } = this.#runtime;
    const all: NodeAgent[] = [];
    for (const spec of specs) {
      all.push(await this.#createAgent(spec));
      const pause = scheduler.yield(microsPerAgent);
      if (pause) await pause;
    }
    this.#pods.start();
    this.#nodes.start();
    const { signal } = this.#ending;
    await this.#manifests.start();
    await Promise.all([this.#pods.whenSynced(signal), this.#nodes.whenSynced(signal), this.#stages.start(signal)]);
    await inParallel(scheduler, all, (agent) => this.#join(agent));
  }

  async #createAgent(spec: NodeSpec): Promise<NodeAgent> {
    const { name } = spec;
    if (this.#agents.has(name)) throw new Error(`there is a node ${name} already`);
    const index = this.#nextIndex++;
    const agent = await this.#kubeletOf(spec, index);
    this.#agents.set(name, agent);
    if (this.#manifests.hasShared) this.#handOut(agent);
    this.#owned.addNode(name, agent.hostIPs);
    if (!this.#isReal) this.#owned.addRange(podRangeOf(spec, index));
    return agent;
  }

  async #kubeletOf(spec: NodeSpec, index: number): Promise<NodeAgent> {
    const { name } = spec;
    const runtime = this.#runtime;
    const client = this.#clientFor(name);
    const node = (): DeepReadonly<Node> | undefined => this.#nodes.indexer.getByKey(name);
    const record: NodeContext["record"] = (pod, event, container) =>
      this.#events.recordPod(name, pod, event, container);
    const recordNode = (event: RecordedEvent): void => this.#events.recordNode(name, event);
    const wake = (podUid: string): void => this.#agents.get(name)?.wake(podUid);
    const kubeletPort = this.#kubeletPort;
    const reportNode = (): void => void during(runtime.activity, async () => this.#agents.get(name)?.look());
    const platformContext = { spec, index, kubeletPort, client, runtime, node, record, recordNode, reportNode, wake };
    const made = this.#platformFor(platformContext);
    const platform = made instanceof Promise ? await made : made;
    const { hostIPs, containers, prober, host, sources, credentials, pulls } = platform;
    const writer = this.#writer;
    return new NodeAgent({
      context: {
        nodeName: name,
        hostIPs,
        client,
        containers,
        prober,
        host,
        writer,
        runtime,
        node,
        sources,
        credentials,
        pulls,
        counts: this.#counts,
        record,
      },
      platform,
      pods: () => this.#pods.indexer.byIndex("node", name),
      addresses: "addresses" in platform ? (platform as SimulatedPlatform).addresses : noAddresses,
      stages: this.#stages,
      rules: this.#kubelet,
      recordNode,
    });
  }

  async #join(agent: NodeAgent): Promise<void> {
    const state = this.#isReal ? "on" : machineStateOf(this.#nodes.indexer.getByKey(agent.name));
    if (state !== "on") {
      agent.stayAway(state);
      return this.#wheel.add(agent);
    }
    await agent.register();
    if (this.#ending.signal.aborted) return;
    this.#wheel.add(agent);
    agent.begin(this.#pods.indexer.byIndex("node", agent.name));
  }

  #find(name: string): NodeAgent {
    const agent = this.#agents.get(name);
    if (!agent) throw new Error(`there is no simulated node ${name}`);
    return agent;
  }

  get names(): readonly string[] {
    return [...this.#agents.keys()];
  }

  agent(name: string): NodeAgent | undefined {
    return this.#agents.get(name);
  }

  async kill(name: string): Promise<void> {
    await this.#find(name).kill();
  }

  partition(name: string): void {
    this.#find(name).partition();
  }

  async recover(name: string): Promise<void> {
    await this.#find(name).recover();
  }

  setStaticPods(name: string, manifests: readonly string[]): void {
    const agent = this.#find(name);
    this.#manifests.set(name, manifests);
    this.#handOut(agent);
  }

  async evictFirst(name: string): Promise<string | undefined> {
    const pod = await this.#find(name).evictFirst();
    return pod && `${pod.metadata?.namespace}/${pod.metadata?.name}`;
  }

  async add(spec: NodeSpec): Promise<void> {
    await this.#join(await this.#createAgent(spec));
  }

  async remove(name: string): Promise<void> {
    const agent = this.#find(name);
    this.#agents.delete(name);
    this.#wheel.remove(agent);
    await agent.kill();
    await agent.stop();
    await this.#client.core.v1.nodes().delete(name);
  }

  async stop(): Promise<void> {
    this.#ending.abort();
    this.#wheel.stop();
    this.#manifests.stop();
    await this.server.stop();
    await Promise.all([...this.#agents.values()].map((agent) => agent.stop()));
    await this.#stages.stop();
    await this.#writer.stop();
    await this.#events.stop();
    await this.#pods.stop();
    await this.#nodes.stop();
    await this.#machine.volumes.stop();
    await this.ready.catch(() => {});
  }
}

/** Real nodes leave no pods to Stages. */
const noAddresses: PodAddresses = { take: () => "", claim: () => {}, release: () => {} };
