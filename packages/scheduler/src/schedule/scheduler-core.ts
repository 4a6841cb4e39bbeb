import type { Client } from "@coxswain/client";
import type { Runtime } from "@coxswain/runtime";
import type { SchedulerCache } from "../cache/scheduler-cache.js";
import type { Extender } from "../extender/extender.js";
import type { Profile } from "../framework/profile.js";
import type { WaitingPods } from "../framework/waiting-pods.js";
import type { Pod } from "../pod/objects.js";
import type { SchedulingQueue } from "../queue/scheduling-queue.js";
import type { BindingPods } from "./binding-pods.js";
import type { SchedulerMetrics } from "./scheduler-metrics.js";

/** What all steps of scheduling share. */
export interface SchedulerCore {
  readonly client: Client;
  readonly cache: SchedulerCache;
  readonly queue: SchedulingQueue;
  /** By scheduler name. */
  readonly profiles: ReadonlyMap<string, Profile>;
  readonly extenders: readonly Extender[];
  readonly waitingPods: WaitingPods;
  readonly bindingPods: BindingPods;
  readonly metrics: SchedulerMetrics;
  readonly percentageOfNodesToScore: number;
  /** Whether the chosen node is written to the pod before a long wait (NominatedNodeNameForExpectation). */
  readonly nominateBeforeBinding: boolean;
  readonly runtime: Runtime;
  /** The pod as the cache of pods has it, by namespace/name. */
  currentPod(key: string): Pod | undefined;
  /** Runs beside scheduling, at once as far as it does not wait; stopping waits for it. */
  inBackground(work: (signal: AbortSignal) => Promise<void>): void;
  /** Records an event about the pod, in the name of its scheduler. */
  event(pod: Pod, event: PodEvent): void;
}

export interface PodEvent {
  readonly type: "Normal" | "Warning";
  readonly reason: string;
  readonly action: string;
  readonly note: string;
  readonly related?: Pod;
}
