import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { Extender } from "../extender/extender.js";
import type { ClusterObjects } from "../framework/cluster-objects.js";
import type { Pod } from "../pod/objects.js";
import type { PodInfo } from "../pod/pod-info.js";

/** What plugins are made with. */
export interface PluginContext {
  readonly client: Client;
  readonly objects: ClusterObjects;
  readonly gates: { enabled(gate: string): boolean };
  readonly runtime: Runtime;
  /** Calls `listener` at every change of an object of this kind, until the function that it returns is called. */
  onChange(kind: keyof ClusterObjects, listener: () => void): () => void;
  readonly extenders: readonly Extender[];
  /** Pods that were promised room on a node. */
  nominatedPods(nodeName: string): readonly PodInfo[];
  /** Tries these pods soon, whatever they wait for. */
  activate(pods: ReadonlyMap<string, Pod>): void;
  /** An event in the scheduler's name. */
  event(pod: Pod, event: PluginEvent): void;
  /** Runs beside scheduling; `stop` waits for it. Errors are logged. */
  inBackground(work: (signal: AbortSignal) => Promise<void>): void;
  /**
   * Ends the binding of a pod that is not bound yet, for one of higher priority.
   * False: it is too late, or the pod is not being bound.
   */
  cancelBinding(pod: Pod, plugin: string): boolean;
  /** Counts a preemption, in metrics. */
  onPreempted(victims: number): void;
}

export interface PluginEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly related?: Pod;
}
