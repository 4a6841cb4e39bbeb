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
import type { ContainerRuntime } from "../runtime/container-runtime.js";
import type { PodSources } from "../sources/pod-sources.js";
import type { PodHost } from "./pod-host.js";
import type { PodMetrics } from "./pod-metrics.js";
import type { StatusWriter } from "./status-writer.js";

/** What the workers of one node's pods share. */
export interface NodeContext {
  readonly nodeName: string;
  readonly hostIPs: readonly string[];
  /** In the node's own name. */
  readonly client: Client;
  readonly containers: ContainerRuntime;
  /** Probes and hooks over the network: by connections on real nodes, by rule on simulated ones. */
  readonly prober: NetworkProber;
  /** Volumes, control groups and directories of pods. */
  readonly host: PodHost;
  readonly writer: StatusWriter;
  readonly runtime: Runtime;
  /** The node as the API server has it now. */
  node(): DeepReadonly<Node> | undefined;
  /** Whether a new pod may run here beside those that do. */
  admit(pod: CachedPod): PodAdmission;
  /** The same for a pod that runs here and asks for other resources. */
  admitResize(pod: CachedPod): PodAdmission;
  /** What registries are shown for a pod's image. */
  readonly credentials: PullCredentials;
  /** Which images were pulled with whose credentials. */
  readonly pulls: PullRecords;
  /** What is counted for `/metrics`. */
  readonly counts: PodMetrics;
  /** Variables of containers. */
  readonly sources: Pick<PodSources, "environment">;
  /** Records an event about a pod, or about one of its containers. */
  record(pod: CachedPod, event: RecordedEvent, container?: string): void;
}
