import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { KubeletConfig } from "./node/kubelet-config.js";
import type { NodeAgent } from "./node/node-agent.js";
import type { PlatformFor } from "./node/node-platform.js";
import type { NodeSpec } from "./node/node-spec.js";
import type { InsideConnections } from "./server/inside-connections.js";
import type { KubeletServer } from "./server/kubelet-server.js";
import type { UsageReader } from "./server/usage-reader.js";
import type { BehaviourRules } from "./simulated/behaviour.js";
import type { ImageRule } from "./simulated/image-rules.js";
import type { PodNetwork } from "./simulated/pod-network.js";
import type { PersistentVolumes } from "./simulated/volumes/persistent-volumes.js";
import type { StageObject } from "./stages/stage-object.js";

export interface NodeSettings {
  /** What simulated containers do without annotations of their pods. */
  readonly rules?: BehaviourRules;
  /** The same for containers of some images; they count before `rules`. */
  readonly imageRules?: readonly ImageRule[];
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
  /** The files of persistent volumes of simulated nodes; ended with the nodes. @default memory, gone when the process ends */
  readonly volumes?: PersistentVolumes;
  /** What programs in simulated containers find beyond their own pods. @default nothing */
  readonly network?: PodNetwork;
  /** Called with each range of addresses of nodes and pods that is not one of `simulatedCidrs`: a Stage or a client gave it. @default nobody is */
  onOwned?(cidr: string): void;
  /** What the process counts, for `/metrics`, in the text format of Prometheus. @default nothing */
  processMetrics?(): string;
  /** The machine's log directory, where the server shows it. */
  readonly systemLogs?: string;
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
  /** What nodes are made of. @default simulated */
  readonly platformFor?: PlatformFor;
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
