import type { Client } from "@coxswain/client";
import type { EventRecorder } from "@coxswain/client/events";
import type { QueueMetricsProvider } from "@coxswain/client/queue";
import type { Runtime } from "@coxswain/runtime";
import type { ControllerSettings } from "../settings/controller-settings.js";
import type { Informers } from "./informers.js";
import type { SharedDiscovery } from "./shared-discovery.js";

/**
 * One of kube-controller-manager's controllers.
 *
 * All of them have the same form. `start` wires: which objects wake which keys, and one `reconcile` per key. A reconcile
 * reads the world as it is from caches, asks a pure `plan` what to do, and carries that out through the client. It never
 * sleeps, never keeps state that it could read, and may be ended between any two writes: the next one goes on from what is
 * there. Where acting on a cache that has not seen the own last write would do harm (a pod too many), it waits for the
 * cache: by `Expectations` of what it created and deleted, or by a `ConsistencyStore` of resourceVersions.
 */
export interface Controller {
  /** As `--controllers` names it: "replicaset-controller". */
  readonly name: string;
  /** Older names that `--controllers` takes. */
  readonly aliases: readonly string[];
  /** Its service account in kube-system; undefined: the controller manager's own identity. */
  readonly serviceAccount?: string;
  /** Whether it runs without being named. @default true */
  readonly isOnByDefault?: boolean;
  /** Gates that must be on. */
  readonly gates?: readonly string[];
  /** Asks for its informers and wires its queue. Work begins once these informers have synced, whatever others wait for. Undefined: its settings leave it nothing to do. */
  start(context: ControllerContext): RunningController | undefined;
}

export interface RunningController {
  /** Begins to work; called once the caches are filled. */
  run(): void;
  /** Ends its workers and timers and waits for what is under way. */
  stop(): Promise<void>;
}

/** What a controller works with. */
export interface ControllerContext {
  /** In the name of the controller's own service account. */
  readonly client: Client;
  /** Caches that all controllers of the process share. */
  readonly informers: Informers;
  /** What the server serves, asked once for all controllers. */
  readonly discovery: SharedDiscovery;
  /** Events whose source is this component: "replicaset-controller". */
  recorder(component: string): EventRecorder;
  readonly settings: ControllerSettings;
  readonly gates: { enabled(gate: string): boolean };
  /** Its log names the controller; its metrics are those of controllers themselves, under upstream's names. */
  readonly runtime: Runtime;
  /** For queues that report metrics. */
  readonly queueMetrics?: QueueMetricsProvider;
}
