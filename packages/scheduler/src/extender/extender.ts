import type { NodeInfo } from "../cache/node-info.js";
import type { Snapshot } from "../cache/snapshot.js";
import type { Pod } from "../pod/objects.js";

/** A program outside of the scheduler that takes part in its decisions. */
export interface Extender {
  /** Where it is. */
  readonly name: string;
  /** Whether scheduling goes on without it when it fails. */
  readonly ignorable: boolean;
  readonly filters: boolean;
  readonly prioritizes: boolean;
  readonly binds: boolean;
  readonly preempts: boolean;
  /** Whether it is interested in this pod. */
  isInterested(pod: Pod): boolean;
  filter(pod: Pod, nodes: readonly NodeInfo[]): Promise<ExtenderFilterResult>;
  /** Scores by node name, already weighted. */
  prioritize(pod: Pod, nodes: readonly NodeInfo[]): Promise<ReadonlyMap<string, number>>;
  bind(binding: ExtenderBinding): Promise<void>;
  /** Which of the candidates remain, with which victims. */
  preempt(pod: Pod, candidates: ReadonlyMap<string, Victims>, snapshot: Snapshot): Promise<Map<string, Victims>>;
}

export interface ExtenderFilterResult {
  readonly nodes: readonly NodeInfo[];
  /** Reasons by node. */
  readonly failed: ReadonlyMap<string, string>;
  /** The same where removing pods would not help. */
  readonly unresolvable: ReadonlyMap<string, string>;
}

export interface ExtenderBinding {
  readonly pod: Pod;
  readonly nodeName: string;
}

/** The pods that would have to go from a node. */
export interface Victims {
  /** Most important first. */
  readonly pods: readonly Pod[];
  /** How many of them a PodDisruptionBudget protects. */
  readonly budgetViolations: number;
}
