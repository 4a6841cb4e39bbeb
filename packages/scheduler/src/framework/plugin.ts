import type { NodeInfo } from "../cache/node-info.js";
import type { Pod } from "../pod/objects.js";
import type { PodInfo } from "../pod/pod-info.js";
import type { ClusterEvent } from "./cluster-event.js";
import type { Cycle } from "./cycle.js";
import type { NodeStatuses } from "./node-statuses.js";
import type { QueuedPod } from "./queued-pod.js";
import type { Status } from "./status.js";

/**
 * A plugin takes part in scheduling at the extension points whose methods it has, in upstream's order. No status is success.
 *
 * What upstream splits into PreFilter and Filter is one method here: `preFilter` looks at the pod once and returns the test for
 * one node, or returns that there is nothing to test. The same holds for `preScore` and Score.
 */
export interface Plugin {
  readonly name: string;
  /** What may make a pod schedulable that this plugin refused. */
  readonly events?: readonly EventRegistration[];
  /** QueueSort: whether `a` is tried before `b`. */
  less?(a: QueuedPod, b: QueuedPod): boolean;
  /** Whether the pod may enter the active queue. */
  preEnqueue?(pod: Pod): Status | undefined;
  preFilter?(cycle: Cycle): PreFilterResult;
  /** Called when no node passed. */
  postFilter?(cycle: Cycle, found: PostFilterInput): Promise<PostFilterResult>;
  /** `nodes` are those that passed. */
  preScore?(cycle: Cycle, nodes: readonly NodeInfo[]): PreScoreResult;
  reserve?(cycle: Cycle, nodeName: string): Status | undefined;
  /** Takes back what `reserve` did; also called where `reserve` failed or was not reached. */
  unreserve?(cycle: Cycle, nodeName: string): void;
  permit?(cycle: Cycle, nodeName: string): Status | PermitWait | undefined;
  /** What `preBind` will do for this pod. Cheap: it decides whether the chosen node is written down before a long wait. */
  preBindPreFlight?(cycle: Cycle, nodeName: string): PreFlightResult;
  preBind?(cycle: Cycle, nodeName: string, signal: AbortSignal): Promise<Status | undefined>;
  /** `skip`: the next plugin shall bind. */
  bind?(cycle: Cycle, nodeName: string, signal: AbortSignal): Promise<Status | "skip" | undefined>;
  postBind?(cycle: Cycle, nodeName: string): void;
}

/** An event that is awaited, and whether a particular one is worth another try of the pod. @default every one is */
export interface EventRegistration {
  readonly event: ClusterEvent;
  /** `old` is undefined when something was added, `object` when it was deleted. */
  hint?(pod: PodInfo, old: unknown, object: unknown): boolean;
}

/** The test for one node, prepared for one pod. */
export interface NodeFilter {
  filter(node: NodeInfo): Status | undefined;
  /** What would change with another pod on the node; `node` has it already. */
  addPod?(pod: PodInfo, node: NodeInfo): void;
  removePod?(pod: PodInfo, node: NodeInfo): void;
  /** One that `addPod` and `removePod` change apart from this one; needed with them. */
  copy?(): NodeFilter;
}

export type PreFilterResult =
  /** Nothing to test. */
  | { readonly kind: "skip" }
  /** No node will do. */
  | { readonly kind: "refused"; readonly status: Status }
  /** `nodeNames`: no other node will do. */
  | { readonly kind: "filter"; readonly filter: NodeFilter; readonly nodeNames?: ReadonlySet<string> };

export const skip: { readonly kind: "skip" } = { kind: "skip" };
export const refuse = (status: Status): { readonly kind: "refused"; readonly status: Status } => ({
  kind: "refused",
  status,
});

/** The score of one node, prepared for one pod. */
export interface NodeScorer {
  score(node: NodeInfo): number;
  /** Brings the scores of all nodes into 0 to 100, in place. Without it, `score` must. */
  normalize?(scores: Float64Array, nodes: readonly NodeInfo[]): void;
}

export type PreScoreResult =
  | { readonly kind: "skip" }
  | { readonly kind: "failed"; readonly error: Error }
  | { readonly kind: "score"; readonly scorer: NodeScorer };

export const maxNodeScore = 100;

export interface PostFilterInput {
  readonly statuses: NodeStatuses;
  /** The filters of the cycle, for trying what would be without some pods. */
  readonly filters: NodeFilters;
}

/** All filters of one cycle together. */
export interface NodeFilters {
  /** The first refusal. */
  check(node: NodeInfo): Status | undefined;
  /** The same, also with the pods that were promised room on the node. */
  checkWithNominated(node: NodeInfo): Status | undefined;
  addPod(pod: PodInfo, node: NodeInfo): void;
  removePod(pod: PodInfo, node: NodeInfo): void;
  copy(): NodeFilters;
}

export interface PostFilterResult {
  /** Undefined: it succeeded. */
  readonly status: Status | undefined;
  /** The node to nominate the pod for, "" to take a nomination back; undefined to leave it. */
  readonly nominatedNode?: string;
}

export interface PermitWait {
  readonly code: "Wait";
  /** Then the pod is refused. In milliseconds. */
  readonly timeoutMs: number;
}

export type PreFlightResult =
  /** Nothing to do. */
  | { readonly kind: "skip" }
  | { readonly kind: "failed"; readonly status: Status }
  /** `parallel`: together with its neighbours that allow it. */
  | { readonly kind: "work"; readonly parallel: boolean };

/** Makes a plugin from its arguments. */
export type PluginFactory = (args: object) => Plugin;
