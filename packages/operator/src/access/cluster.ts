import { type Client, clientThrough, type ResourceClient } from "@coxswain/client";
import type { EventRecorder } from "@coxswain/client/events";
import { type ClusterCache, type ClusterCacheOptions, createClusterCache } from "../cache/index.js";
import { namespaceFor, type ObjectName, type ResourceDefinition } from "../resource/index.js";
import { observeWrites } from "./observe-writes.js";

/** One Kubernetes cluster as reconcilers see it. */
export interface Cluster {
  /** "" for the manager's own cluster. */
  readonly name: string;
  /** Reads from the server, and writes that cached reads show at once. An update without a resourceVersion is refused. */
  readonly client: Client;
  readonly cache: ClusterCache;
  readonly recorder: (component: string) => EventRecorder;
}

export interface ClusterOptions extends ClusterCacheOptions {
  readonly name: string;
  readonly recorder: (component: string) => EventRecorder;
  readonly assertMayWrite: () => void;
}

export function createCluster(options: ClusterOptions): Cluster {
  const { name, recorder, assertMayWrite } = options;
  const cache = createClusterCache(options);
  const client = clientThrough(options.client, (rest) => observeWrites(rest, { cache, assertMayWrite }));
  return { name, client, cache, recorder };
}

/** A typed client of a resource, in the object's namespace. */
export const resourceClient = <T extends object>(
  client: Client,
  definition: ResourceDefinition<T>,
  name: ObjectName,
): ResourceClient<T> => client.dynamic<T>(definition, namespaceFor(definition, name));
