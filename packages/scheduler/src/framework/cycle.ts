import type { Snapshot } from "../cache/snapshot.js";
import type { Pod } from "../pod/objects.js";
import type { PodInfo } from "../pod/pod-info.js";

/** One attempt to schedule one pod, from its filters to its binding. */
export interface Cycle {
  readonly pod: PodInfo;
  /** The cluster when the cycle began. */
  readonly snapshot: Snapshot;
  /** What a plugin remembers from one extension point to a later one, by the plugin's name. */
  readonly state: Map<string, unknown>;
  /** Pods that shall be tried once this one has its node, by namespace/name. */
  readonly podsToActivate: Map<string, Pod>;
  /** Pods that preemption has promised room on a node, most of all pods of higher priority. */
  nominatedPods(nodeName: string): readonly PodInfo[];
  /** Why its node was chosen, in words; "": not yet. */
  choice: string;
}

export const createCycle = (
  pod: PodInfo,
  snapshot: Snapshot,
  nominatedPods: Cycle["nominatedPods"] = () => [],
): Cycle => ({ pod, snapshot, state: new Map(), podsToActivate: new Map(), nominatedPods, choice: "" });
