import type { DeepReadonly } from "@coxswain/api/types";
import type { Client } from "@coxswain/client";
import type { MetricsRegistry } from "@coxswain/component/metrics";
import type { Logger } from "@coxswain/runtime/log";
import type { ClusterAccess } from "../access/index.js";
import type { ClusterCache } from "../cache/index.js";
import type { ControllerBuilder } from "../controller/index.js";
import type { ResourceDefinition } from "../resource/index.js";
import type { Handler, HealthCheck } from "../serving/index.js";
import type { Defaulter, Spoke, Validator } from "../webhook/index.js";
import type { Clusters } from "./clusters.js";

/** Controllers, webhooks and servers of one program, with a cache that they share. */
export interface Manager {
  /** Begins a controller. Names are unique: metrics and logs carry them. */
  controller(name: string): ControllerBuilder;
  /** Anything else that runs as long as the manager. */
  add(runnable: Runnable): void;
  /** Defaults and checks the objects of a kind, at the paths that controller-runtime uses. Replicas that do not lead serve as well. */
  webhook<T extends object>(resource: ResourceDefinition<T>, handlers: WebhookHandlers<T>): void;
  /** Converts between the versions of a kind at `/convert`, by way of the hub. */
  conversion<H extends object>(hub: ResourceDefinition<H>, spokes: readonly Spoke<H>[]): void;
  /** Serves any other handler at the webhook server. */
  serve(path: string, handler: Handler): void;
  healthCheck(name: string, check: HealthCheck): void;
  readyCheck(name: string, check: HealthCheck): void;
  /** Adds an index for `list({ index })`. */
  index<T extends object>(
    resource: ResourceDefinition<T>,
    name: string,
    valuesOf: (object: DeepReadonly<T>) => readonly string[],
  ): void;
  readonly clusters: Clusters;
  /** Of the manager's own cluster. */
  readonly cache: ClusterCache;
  /** Writes that cached reads show at once; refused where another replica leads. */
  readonly client: Client;
  /** What reconcilers have, for other parts of the program. @default the manager's own cluster */
  access(component: string, cluster?: string): ClusterAccess;
  readonly log: Logger;
  readonly metrics: MetricsRegistry;
  /** Resolves once this process leads, or at the start where there is no election. */
  readonly elected: Promise<void>;
  readonly isLeader: boolean;
  /**
   * Runs until the signal aborts or `stop` is called, and resolves when all has ended. Rejects when something cannot start, a
   * runnable fails, or leadership is lost: the process should then end.
   */
  start(signal?: AbortSignal): Promise<void>;
  /** Resolves once servers listen, caches have synced and, without an election, controllers work; rejects when they could not. */
  readonly started: Promise<void>;
  /** Ends everything and waits for it. */
  stop(): Promise<void>;
}

export interface WebhookHandlers<T extends object> {
  readonly default?: Defaulter<T>;
  readonly validate?: Validator<T>;
}

/** Runs until the signal aborts. Where it rejects, the manager ends with that error. */
export interface Runnable {
  readonly name: string;
  run(signal: AbortSignal): Promise<void>;
  /** Whether it runs only where the manager leads. @default true */
  readonly needsLeader?: boolean;
}
