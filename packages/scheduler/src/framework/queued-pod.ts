import type { PodInfo } from "../pod/pod-info.js";
import type { ClusterEvent } from "./cluster-event.js";

/** A pod that waits for a node, with what is known of its attempts. */
export interface QueuedPod {
  info: PodInfo;
  /** namespace/name. */
  readonly key: string;
  /** When it came into the queue, or was last found unschedulable, in milliseconds. */
  timestamp: number;
  /** How often it was tried, the present one included. */
  attempts: number;
  /** Until when it backs off; 0: not computed. */
  backoffExpiration: number;
  /** How often it did not fit. */
  unschedulableCount: number;
  /** How often in a row trying it failed by an error. */
  consecutiveErrors: number;
  /** When it last came back because it had waited for too long. */
  flushedAt: number;
  /** Whether it came back for that reason and no other. */
  wasFlushed: boolean;
  /** When it was first ready to be tried. */
  initialAttemptAt: number | undefined;
  /** The plugins that refused it. */
  unschedulablePlugins: Set<string>;
  /** The plugins that wait for something outside the scheduler. */
  pendingPlugins: Set<string>;
  /** The PreEnqueue plugin that keeps it out of the active queue; "" for none. */
  gatingPlugin: string;
  gatingEvents: readonly ClusterEvent[];
}
