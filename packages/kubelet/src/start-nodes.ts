import type { Runtime } from "@coxswain/runtime";
import { createHash } from "node:crypto";
import type { Node, Pod } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { during } from "@coxswain/runtime/activity";
import type { Client } from "@coxswain/client";
import { createSharedInformer, filterListerWatcher } from "@coxswain/client/informers";
import { beatAll } from "./node/beat-all.js";
import { createHeartbeatWheel } from "./node/heartbeat-wheel.js";
import { inParallel } from "./node/in-parallel.js";
import { type KubeletConfig, kubeletRules, manifestPlaces } from "./node/kubelet-config.js";
import { machineStateOf } from "./node/machine-state.js";
import { NodeAgent } from "./node/node-agent.js";
import { addressOf, kubeletVersion, planNode, podRangeOf } from "./node/node-object.js";
import { type NodeSpec, numberedNodes } from "./node/node-spec.js";
import { createPodAddresses, type PodAddresses } from "./simulated/pod-addresses.js";
import type { CachedPod } from "./objects/cached-pod.js";
import type { InsideConnections } from "./server/inside-connections.js";
import type { KubeletServer } from "./server/kubelet-server.js";
import { createNodeServers } from "./server/node-servers.js";
import { createUsageReader, type UsageReader } from "./server/usage-reader.js";
import type { BehaviourRules } from "./simulated/behaviour.js";
import { createSimulatedMachine } from "./simulated/simulated-machine.js";
import { createSimulatedRuntime } from "./simulated/simulated-runtime.js";
import { createNodeStages } from "./stages/node-stages.js";
import type { StageObject } from "./stages/stage-object.js";
import { createNodeEvents } from "./worker/node-events.js";
import { createPodSources } from "./sources/create-pod-sources.js";
import { createReferencedObjects } from "./sources/referenced-objects.js";
import { createManifestSource } from "./static-pods/manifest-source.js";
import type { Manifest } from "./static-pods/read-manifest.js";
import { createStatusWriter } from "./worker/status-writer.js";

export interface NodeSettings {
  /** What simulated containers do without annotations of their pods. */
  readonly rules?: BehaviourRules;
  /** Members of upstream's KubeletConfiguration, for all nodes of the process. @throws Error at the start, in upstream's words */
  readonly kubelet?: KubeletConfig;
  /** Where the kubelets' server answers. @default 10250 */
  readonly kubeletPort?: number;
  /** Whether nodes record events. @default true */
  readonly events?: boolean;
  /** KWOK's Stages that are played beside those of the cluster. @throws StageError at the start, where one cannot be played */
  readonly stages?: readonly StageObject[];
  /** Whether Stages that the cluster has are played. @default true, but not with `ownPodsOnly` */
  readonly clusterStages?: boolean;
  /** Watch only the pods of one node, as a kubelet of its own does; for a single node. @default false */
  readonly ownPodsOnly?: boolean;
}

export interface StartNodesOptions {
  /** Reads all pods and nodes. */
  readonly client: Client;
  /** For what a node reads and writes itself, as `system:node:<name>`. @default `client` */
  clientFor?(nodeName: string): Client;
  /** So many nodes, named node-0, node-1, …, or these. */
  readonly nodes: number | readonly NodeSpec[];
  readonly runtime: Runtime;
  readonly settings?: NodeSettings;
}

/** The nodes of one process. Each has a kubelet of its own; they share one cache of pods and one wheel of heartbeats. */
export interface RunningNodes {
  /** Resolves when all nodes are registered and ready. */
  readonly ready: Promise<void>;
  readonly names: readonly string[];
  /** The kubelet of a node. */
  agent(name: string): NodeAgent | undefined;
  /** The kubelets' server; it listens only when it is asked to. */
  readonly server: KubeletServer;
  /** Connections to kubelets and to ports of pods, for an API server in this process. */
  readonly connections: InsideConnections;
  /** What nodes and pods use, for `metrics.k8s.io`. */
  readonly usage: UsageReader;
  /** Turns the machine off: heartbeats end, and what ran is gone. @throws Error where there is no such node */
  kill(name: string): Promise<void>;
  /** Cuts the node off from the API server; what runs goes on. @throws Error where there is no such node */
  partition(name: string): void;
  /** Ends what `kill` and `partition` began. @throws Error where there is no such node */
  recover(name: string): Promise<void>;
  /** Static pods of a node by their manifests, in place of those that it had by this method. @throws Error where there is no such node */
  setStaticPods(name: string, manifests: readonly string[]): void;
  /** As when the node's memory runs low: evicts the pod that goes first. @returns its namespace and name; undefined: none may be evicted */
  evictFirst(name: string): Promise<string | undefined>;
  /** Resolves when the node is registered. @throws Error where there is one of that name */
  add(spec: NodeSpec): Promise<void>;
  /** Turns the machine off and deletes the Node. */
  remove(name: string): Promise<void>;
  stop(): Promise<void>;
}

/** Upstream's: a quarter of the lease's 40 s. */
const heartbeatMs = 10_000;
/** What it takes to make a kubelet, in microseconds. */
const microsPerAgent = 200;

export function startNodes(options: StartNodesOptions): RunningNodes {
  const { client, clientFor = () => client, runtime, settings = {} } = options;
  const { clock, activity, log, scheduler } = runtime;
  const specs = typeof options.nodes === "number" ? numberedNodes(options.nodes) : options.nodes;
  const agents = new Map<string, NodeAgent>();
  const ending = new AbortController();
  let nextIndex = 0;
  const machine = createSimulatedMachine();

  const objects = createReferencedObjects({ clock });
  const writer = createStatusWriter({ runtime });
  const events = createNodeEvents({ clientFor, runtime, enabled: settings.events ?? true });
  const onError = (error: unknown): void => log.debug("a cache lost its server and recovers", { error });
  const [only] = settings.ownPodsOnly ? specs : [];
  const podInformer = createSharedInformer<Pod>({
    listerWatcher: filterListerWatcher(client.core.v1.pods(), {
      fieldSelector: only ? `spec.nodeName=${only.name}` : "spec.nodeName!=",
    }),
    indexers: { node: (pod) => [pod.spec?.nodeName ?? ""], address: (pod) => [pod.status?.podIP ?? ""] },
    runtime,
    onError,
  });
  const nodeInformer = createSharedInformer<Node>({
    listerWatcher: only
      ? filterListerWatcher(client.core.v1.nodes(), { fieldSelector: `metadata.name=${only.name}` })
      : client.core.v1.nodes(),
    runtime,
    onError,
  });
  nodeInformer.addHandler({
    onAdd: (node) => nodeChanged(node),
    onUpdate: (_, node) => nodeChanged(node),
    onDelete: (node) => stages.dropNode(node.metadata?.uid ?? ""),
  });
  const agentOf = (pod: CachedPod): NodeAgent | undefined => agents.get(pod.spec?.nodeName ?? "");
  podInformer.addHandler({
    onAdd: (pod) => agentOf(pod)?.podChanged(pod),
    onUpdate: (_, pod) => agentOf(pod)?.podChanged(pod),
    onDelete: (pod) => agentOf(pod)?.podDeleted(pod),
  });
  const kubelet = kubeletRules(settings.kubelet ?? {});
  const kubeletPort = settings.kubeletPort ?? 10250;
  const stages = createNodeStages({
    client,
    given: settings.stages ?? [],
    fromCluster: settings.clusterStages ?? !settings.ownPodsOnly,
    kubeletPort,
    version: kubeletVersion,
    nodeOf: (name) => agents.get(name),
    objects: () => ({ pods: podInformer.indexer.list(), nodes: nodeInformer.indexer.list().filter(isOurs) }),
    podChanged: (pod) => agentOf(pod)?.podChanged(pod),
    processor: machine.processor,
    recordPod: (name, pod, event) => events.recordPod(name, pod, event),
    recordNode: (name, event) => events.recordNode(name, event),
    runtime,
  });
  /** Of files and URLs, for all nodes; and of single nodes. */
  let shared: readonly Manifest[] = [];
  const own = new Map<string, readonly Manifest[]>();
  const handOut = (agent: NodeAgent): void => agent.setManifests([...shared, ...(own.get(agent.name) ?? [])]);
  const manifests = createManifestSource({
    ...manifestPlaces(settings.kubelet ?? {}),
    onManifests(found) {
      shared = found;
      for (const agent of agents.values()) handOut(agent);
    },
    runtime,
  });
  const isOurs = ({ metadata }: DeepReadonly<Node>): boolean => agents.get(metadata?.name ?? "")?.isConnected === true;
  function nodeChanged(node: DeepReadonly<Node>): void {
    const agent = agents.get(node.metadata?.name ?? "");
    if (agent) for (const cidr of node.spec?.podCIDRs ?? []) owned.addRange(cidr);
    if (agent?.isStarted) void during(activity, () => agent.followMachine(machineStateOf(node)));
    if (agent?.isConnected) stages.offerNode(node);
  }
  const wheel = createHeartbeatWheel<NodeAgent>({
    periodMs: heartbeatMs,
    clock,
    beat: (members) => void during(activity, () => beatAll(scheduler, members)),
  });

  function createAgent(spec: NodeSpec): NodeAgent {
    if (agents.has(spec.name)) throw new Error(`there is a node ${spec.name} already`);
    const index = nextIndex++;
    const nodeClient = clientFor(spec.name);
    const hostIPs = [addressOf(spec, index)];
    const node = (): DeepReadonly<Node> | undefined => nodeInformer.indexer.getByKey(spec.name);
    const addresses = lazyAddresses(() => node()?.spec?.podCIDR || podRangeOf(spec, index));
    const containers = createSimulatedRuntime({ runtime, addresses, rules: settings.rules ?? {}, machine, node });
    const idOf = (what: string): string => createHash("md5").update(`${what}/${spec.name}`).digest("hex");
    const agent = new NodeAgent({
      context: {
        nodeName: spec.name,
        hostIPs,
        client: nodeClient,
        containers,
        writer,
        runtime,
        node,
        sources: createPodSources({ client: nodeClient, objects, node, hostIPs }),
        record: (pod, event, container) => events.recordPod(spec.name, pod, event, container),
      },
      node: (now) =>
        planNode(spec, {
          index,
          kubeletPort,
          runtimeVersion: `${containers.name}://${containers.version}`,
          ids: { machine: idOf("machine"), boot: idOf("boot") },
          now,
        }),
      pods: () => podInformer.indexer.byIndex("node", spec.name),
      losePower: () => containers.lose(),
      adopt: (pod) => containers.adopt(pod),
      addresses,
      stages,
      rules: kubelet,
      recordNode: (event) => events.recordNode(spec.name, event),
    });
    agents.set(spec.name, agent);
    if (shared.length > 0) handOut(agent);
    owned.addNode(spec.name, hostIPs);
    owned.addRange(podRangeOf(spec, index));
    return agent;
  }

  async function join(agent: NodeAgent): Promise<void> {
    const state = machineStateOf(nodeInformer.indexer.getByKey(agent.name));
    if (state !== "on") {
      agent.stayAway(state);
      return wheel.add(agent);
    }
    await agent.register();
    if (ending.signal.aborted) return;
    wheel.add(agent);
    agent.begin(podInformer.indexer.byIndex("node", agent.name));
  }

  const { server, connections, source, owned } = createNodeServers({
    agents,
    pods: podInformer.indexer,
    kubeletPort,
    clientOf: clientFor,
    runtime,
  });

  const find = (name: string): NodeAgent => {
    const agent = agents.get(name);
    if (!agent) throw new Error(`there is no simulated node ${name}`);
    return agent;
  };

  async function begin(): Promise<void> {
    const all: NodeAgent[] = [];
    for (const spec of specs) {
      all.push(createAgent(spec));
      const pause = scheduler.yield(microsPerAgent);
      if (pause) await pause;
    }
    podInformer.start();
    nodeInformer.start();
    const { signal } = ending;
    await manifests.start();
    await Promise.all([podInformer.whenSynced(signal), nodeInformer.whenSynced(signal), stages.start(signal)]);
    await inParallel(scheduler, all, join);
  }
  const ready = during(activity, begin);
  ready.catch(() => {}); // stopped before it was ready; those who wait for it see the error

  return {
    ready,
    get names() {
      return [...agents.keys()];
    },
    agent: (name) => agents.get(name),
    server,
    connections,
    usage: createUsageReader({ agents, source }),
    kill: async (name) => find(name).kill(),
    partition: (name) => find(name).partition(),
    recover: async (name) => find(name).recover(),
    setStaticPods(name, texts) {
      own.set(
        find(name).name,
        texts.map((text, i) => ({ text, source: `${name}/${i}`, kind: "file" })),
      );
      handOut(find(name));
    },
    async evictFirst(name) {
      const pod = await find(name).evictFirst();
      return pod && `${pod.metadata?.namespace}/${pod.metadata?.name}`;
    },
    add: async (spec) => join(createAgent(spec)),
    async remove(name) {
      const agent = find(name);
      agents.delete(name);
      wheel.remove(agent);
      await agent.kill();
      await agent.stop();
      await client.core.v1.nodes().delete(name);
    },
    async stop() {
      ending.abort();
      wheel.stop();
      manifests.stop();
      await server.stop();
      await Promise.all([...agents.values()].map((agent) => agent.stop()));
      await stages.stop();
      await writer.stop();
      await events.stop();
      await podInformer.stop();
      await nodeInformer.stop();
      await ready.catch(() => {});
    },
  };
}

/** The range is known only once the Node is; the first pod asks for it. */
function lazyAddresses(range: () => string): PodAddresses {
  let made: PodAddresses | undefined;
  const get = (): PodAddresses => (made ??= createPodAddresses(range()));
  return { take: () => get().take(), claim: (ip) => get().claim(ip), release: (ip) => get().release(ip) };
}
