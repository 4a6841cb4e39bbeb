import type { DeepReadonly } from "@coxswain/api/types";
import { formatGroupVersion } from "@coxswain/apimachinery/meta";
import { isNotFound } from "@coxswain/apimachinery/status";
import type { Client, ResourceClient } from "@coxswain/client";
import type { RecordedEvent } from "@coxswain/client/events";
import type { CachedObject } from "@coxswain/client/informers";
import type { ListOptions } from "../cache/index.js";
import { namespaceFor, type ObjectName, type ResourceDefinition } from "../resource/index.js";
import type { Cluster } from "./cluster.js";

/** Typed reads and writes in one cluster. */
export interface ClusterAccess {
  /** From the cache; undefined where there is no such object. Shows what this process has written. Copy it to change it. */
  get<T extends object>(resource: ResourceDefinition<T>, name: ObjectName): Promise<DeepReadonly<T> | undefined>;
  /** From the cache, likewise. */
  list<T extends object>(resource: ResourceDefinition<T>, options?: ListOptions): Promise<DeepReadonly<T>[]>;
  /** Whether something has asked for a cache of the resource: a read of it makes one. */
  isCached(resource: ResourceDefinition<object>): boolean;
  /** From the server, for what must not be cached or must be the newest. */
  readonly live: LiveReads;
  /** Creates, updates, patches, applies and deletes. `namespace` is left out for resources of the cluster. */
  resource<T extends object>(resource: ResourceDefinition<T>, namespace?: string): ResourceClient<T>;
  /** Everything else that a client can do. */
  readonly client: Client;
  /** Records an Event about an object. Never throws and never waits. */
  event<T extends object>(resource: ResourceDefinition<T>, about: DeepReadonly<T>, event: RecordedEvent): void;
  /** Owner of the fields that helpers such as `apply` set. */
  readonly fieldManager: string;
}

export interface LiveReads {
  get<T extends object>(resource: ResourceDefinition<T>, name: ObjectName): Promise<T | undefined>;
  list<T extends object>(
    resource: ResourceDefinition<T>,
    options?: { readonly namespace?: string; readonly labelSelector?: string; readonly fieldSelector?: string },
  ): Promise<readonly T[]>;
}

export interface AccessOptions {
  /** The component that Events name, and the owner of applied fields. */
  readonly component: string;
  readonly fieldManager?: string | undefined;
  /** Ends reads and writes. */
  readonly signal?: AbortSignal;
}

export function createClusterAccess(cluster: Cluster, options: AccessOptions): ClusterAccess {
  const { component, fieldManager = component, signal } = options;
  const { client, cache } = cluster;
  const resource = <T extends object>(definition: ResourceDefinition<T>, namespace?: string): ResourceClient<T> =>
    client.dynamic<T>(definition, definition.scope === "Cluster" ? undefined : namespace);
  const recorder = cluster.recorder(component);
  return {
    client,
    fieldManager,
    resource,
    get: (definition, name) => cache.get(definition, name, signal),
    isCached: (definition) => cache.existing(definition) !== undefined,
    list: (definition, list) => cache.list(definition, list, signal),
    live: {
      async get(definition, name) {
        try {
          return await resource(definition, namespaceFor(definition, name)).get(name.name, { signal });
        } catch (error) {
          if (isNotFound(error)) return undefined;
          throw error;
        }
      },
      async list(definition, { namespace, ...selectors } = {}) {
        return (await resource(definition, namespace).list(selectors, signal)).items;
      },
    },
    // Items of a list lack kind and apiVersion.
    event: (definition, about, event) =>
      recorder.event(
        { ...(about as CachedObject), kind: definition.kind, apiVersion: formatGroupVersion(definition) },
        event,
      ),
  };
}
