import type { RecordedEvent } from "@coxswain/client/events";
import type { PodAddresses } from "../addresses/pod-addresses.js";
import type { CachedPod } from "../objects/cached-pod.js";
import type { NodeStages } from "../stages/node-stages.js";
import type { NodeContext } from "../worker/node-context.js";
import type { KubeletRules } from "./kubelet-config.js";
import type { NodePlatform } from "./node-platform.js";

export interface NodeAgentOptions {
  readonly context: Omit<NodeContext, "admit" | "admitResize">;
  readonly platform: NodePlatform;
  /** The pods assigned to the node, as the API server has them now. */
  pods(): readonly CachedPod[];
  /** Of pods whose statuses Stages write. */
  readonly addresses: PodAddresses;
  readonly stages: NodeStages;
  readonly rules: KubeletRules;
  recordNode(event: RecordedEvent): void;
}
