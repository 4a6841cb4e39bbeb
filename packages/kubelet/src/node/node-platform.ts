import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import type { RecordedEvent } from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";
import type { PodAdmission } from "../admission/admit-pod.js";
import type { PullCredentials } from "../images/pull-credential.js";
import type { PullRecords } from "../images/pull-records.js";
import type { CachedPod } from "../objects/cached-pod.js";
import type { NetworkProber } from "../probes/network-prober.js";
import type { ContainerRuntime, NodeStats } from "../runtime/container-runtime.js";
import type { PodSources } from "../sources/pod-sources.js";
import type { PodHost } from "../worker/pod-host.js";
import type { NodeSpec } from "./node-spec.js";

/** What one node is made of: simulated, or the machine that the kubelet runs on. */
export interface NodePlatform {
  readonly hostIPs: readonly string[];
  readonly containers: ContainerRuntime;
  readonly prober: NetworkProber;
  readonly host: PodHost;
  readonly sources: Pick<PodSources, "environment">;
  readonly credentials: PullCredentials;
  readonly pulls: PullRecords;
  /** What the kubelet registers. */
  node(now: number): Node | Promise<Node>;
  /** What the node as a whole has left. */
  nodeStats(): Promise<NodeStats>;
  /** Why the node takes no pods, in words of the Ready condition; none: it is ready. */
  problems(): readonly string[] | Promise<readonly string[]>;
  /** Of volumes that a controller attaches, for the Node's status. */
  volumesInUse(): readonly string[];
  /** The Node is registered. */
  registered(): Promise<void>;
  /** The Node as the API server has it changed. */
  nodeChanged(): void;
  /** What the platform itself has against a pod, besides what all nodes check. */
  admit(pod: CachedPod): PodAdmission;
  /** A pod that runs here, as the API server has it now. */
  podChanged(pod: CachedPod): void;
  /** Takes over what runs of a pod, from what the API has. */
  adopt(pod: CachedPod): void;
  /**
   * Removes what is left of pods that are not among these: the API server has been asked for all of them.
   * @param known is asked once it is known what there is: a pod is among them before it has anything on the node
   * @returns whether all of it is gone
   */
  sweep(known: () => ReadonlySet<string>): Promise<boolean>;
  /** Removes the files of a volume of this node that nobody uses any more (`@coxswain/api/local-path`); gone already is no error. */
  deleteVolume(name: string): Promise<void>;
  /** As when the machine loses power; what really runs goes on. */
  losePower(): void;
  stop(): Promise<void>;
}

/** What a platform is made from. */
export interface PlatformContext {
  readonly spec: NodeSpec;
  /** Distinguishes nodes of one process, from 0 on. */
  readonly index: number;
  readonly kubeletPort: number;
  /** In the node's own name. */
  readonly client: Client;
  readonly runtime: Runtime;
  /** The node as the API server has it now. */
  node(): DeepReadonly<Node> | undefined;
  record(pod: CachedPod, event: RecordedEvent): void;
  recordNode(event: RecordedEvent): void;
  /** The Node's status is to be written soon. */
  reportNode(): void;
  /** Something that the pod needs changed: it is to be synced. */
  wake(podUid: string): void;
}

export type PlatformFor = (context: PlatformContext) => NodePlatform | Promise<NodePlatform>;
