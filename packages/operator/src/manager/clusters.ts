import type { Event } from "@coxswain/api/core/v1";
import type { Client } from "@coxswain/client";
import { createEventBroadcaster, createEventSink, type EventBroadcaster } from "@coxswain/client/events";
import type { Runtime } from "@coxswain/runtime";
import { noActivity } from "@coxswain/runtime/activity";
import { type Cluster, createCluster } from "../access/index.js";
import type { CacheOptions } from "../cache/index.js";

/** The clusters of a manager. */
export interface Clusters {
  /** Adds a cluster, also while the manager runs: controllers then watch it as well. */
  add(name: string, client: Client, options?: CacheOptions): Promise<void>;
  /** Ends its watches; requests of it that wait are dropped. */
  remove(name: string): Promise<void>;
  readonly names: readonly string[];
}

export interface OpenCluster {
  readonly cluster: Cluster;
  readonly events: EventBroadcaster;
  /** Ends what controllers watch there. */
  readonly ending: AbortController;
}

export interface OpenClusterOptions {
  readonly cache: CacheOptions | undefined;
  readonly runtime: Runtime;
  readonly assertMayWrite: () => void;
}

/** A cluster with a cache and a way for its Events. */
export function openCluster(name: string, client: Client, options: OpenClusterOptions): OpenCluster {
  const { cache, runtime, assertMayWrite } = options;
  const { log } = runtime;
  const fields = name === "" ? {} : { cluster: name };
  const events = createEventBroadcaster({
    sink: createEventSink<Event>((namespace) => client.core.v1.events(namespace)),
    onError: (error) => log.warn("an Event was not recorded", { error, ...fields }),
    // Requests count themselves: a server that sends Retry-After must not stop a virtual clock.
    runtime: { ...runtime, activity: noActivity },
  });
  const cluster = createCluster({
    ...cache,
    name,
    client,
    runtime,
    assertMayWrite,
    recorder: (component) => events.recorder({ component }),
    onError: (error, resource) =>
      log.warn("the cache could not be filled; trying again", { error, resource, ...fields }),
  });
  return { cluster, events, ending: new AbortController() };
}

/** @throws Error for a name that a request could not carry */
export function checkClusterName(name: string, existing: ReadonlyMap<string, unknown>): void {
  if (name === "" || name.includes("/"))
    throw new Error(`${JSON.stringify(name)} is no name of a cluster: it may not be empty or contain a slash`);
  if (existing.has(name)) throw new Error(`the manager has a cluster ${JSON.stringify(name)} already`);
}
