import type { DeepReadonly } from "@coxswain/api/types";
import { parseLabelSelector } from "@coxswain/apimachinery/selector";
import type { Client, ListerWatcher } from "@coxswain/client";
import {
  type CachedObject,
  createSharedInformer,
  filterListerWatcher,
  type IndexFunction,
  indexByNamespace,
  namespaceIndex,
  type SharedIndexInformer,
} from "@coxswain/client/informers";
import type { Runtime } from "@coxswain/runtime";
import { type ObjectName, type ResourceDefinition, resourceName } from "../resource/index.js";
import { type CacheOptions, defaultResyncMs, type ResourceCacheOptions } from "./cache-options.js";
import { type ListOptions, ResourceCache } from "./resource-cache.js";

/**
 * One informer per resource, made when the resource is first asked for, shared by all that ask. Reads include what this process
 * has written, also before the server has sent it. Objects are shared: copy them to change them.
 */
export interface ClusterCache {
  /** Undefined where there is no such object. The first read of a resource waits until its informer has synced. */
  get<T extends object>(
    resource: ResourceDefinition<T>,
    name: ObjectName,
    signal?: AbortSignal,
  ): Promise<DeepReadonly<T> | undefined>;
  list<T extends object>(
    resource: ResourceDefinition<T>,
    options?: ListOptions,
    signal?: AbortSignal,
  ): Promise<DeepReadonly<T>[]>;
  /** Adds an index for `list({ index })`. Before or after the start. */
  addIndex<T extends object>(
    resource: ResourceDefinition<T>,
    name: string,
    valuesOf: (object: DeepReadonly<T>) => readonly string[],
  ): void;
  /** The cache of one resource. It is started with the others. */
  of<T extends object>(resource: ResourceDefinition<T>): ResourceCache<CachedObject & DeepReadonly<T>>;
  /** The cache of a resource that something already asked for. */
  existing(resource: { group: string; version: string; resource: string }): ResourceCache<CachedObject> | undefined;
  start(): void;
  /** Resolves once all resources asked for so far have synced. */
  whenSynced(signal?: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

export interface ClusterCacheOptions extends CacheOptions {
  readonly client: Client;
  /** Failed lists and watches; informers go on by themselves. */
  readonly onError?: (error: unknown, resource: string) => void;
  readonly runtime: Runtime;
}

export function createClusterCache(options: ClusterCacheOptions): ClusterCache {
  const caches = new Map<string, ResourceCache<CachedObject>>();
  let started = false;
  let stopped = false;

  const settings = new Map<string, ResourceCacheOptions<CachedObject>>();
  for (const { definition, options: own } of options.resources ?? []) settings.set(resourceName(definition), own);

  function of(definition: ResourceDefinition<object>): ResourceCache<CachedObject> {
    if (stopped) throw new Error("the cache was stopped");
    const name = resourceName(definition);
    const existing = caches.get(name);
    if (existing !== undefined) return existing;
    const cache = openCache(definition, settings.get(name) ?? {}, options);
    caches.set(name, cache);
    if (started) cache.start();
    return cache;
  }

  async function synced(
    definition: ResourceDefinition<object>,
    signal?: AbortSignal,
  ): Promise<ResourceCache<CachedObject>> {
    const cache = of(definition);
    if (cache.hasSynced) return cache;
    if (!started) throw new Error(`the cache is not started, can not read ${resourceName(definition)}`);
    await cache.whenSynced(signal);
    return cache;
  }

  // The type of a definition's objects is its author's word; inside, all are CachedObjects.
  const cache: ClusterCache = {
    get: async <T extends object>(resource: ResourceDefinition<T>, name: ObjectName, signal?: AbortSignal) =>
      (await synced(resource, signal)).get(name) as DeepReadonly<T> | undefined,
    list: async <T extends object>(resource: ResourceDefinition<T>, list?: ListOptions, signal?: AbortSignal) =>
      (await synced(resource, signal)).list(list) as unknown as DeepReadonly<T>[],
    addIndex: (resource, name, valuesOf) =>
      of(resource).addIndex(name, valuesOf as unknown as IndexFunction<CachedObject>),
    of: <T extends object>(resource: ResourceDefinition<T>) =>
      of(resource) as unknown as ResourceCache<CachedObject & DeepReadonly<T>>,
    existing: (resource) => caches.get(resourceName(resource)),
    start() {
      started = true;
      for (const each of caches.values()) each.start();
    },
    async whenSynced(signal) {
      for (const each of caches.values()) await each.whenSynced(signal);
    },
    async stop() {
      stopped = true;
      await Promise.all([...caches.values()].map((each) => each.stop()));
    },
  };
  return cache;
}

function openCache(
  definition: ResourceDefinition<object>,
  own: ResourceCacheOptions<CachedObject>,
  options: ClusterCacheOptions,
): ResourceCache<CachedObject> {
  const { client, runtime, onError = () => {}, resyncMs = defaultResyncMs } = options;
  const { labelSelector, fieldSelector, transform, metadataOnly = false } = own;
  const namespaced = definition.scope === "Namespaced";
  const namespaces = (namespaced ? (own.namespaces ?? options.namespaces) : undefined) ?? [""];
  const informers = new Map<string, SharedIndexInformer<CachedObject>>();
  for (const namespace of namespaces) {
    const within = namespace === "" ? undefined : namespace;
    const all = (
      metadataOnly ? client.metadata(definition, within) : client.dynamic<CachedObject>(definition, within)
    ) as ListerWatcher<CachedObject>;
    const filter = { ...(labelSelector && { labelSelector }), ...(fieldSelector && { fieldSelector }) };
    informers.set(
      namespace,
      createSharedInformer<CachedObject>({
        listerWatcher: labelSelector || fieldSelector ? filterListerWatcher(all, filter) : all,
        indexers: { [namespaceIndex]: indexByNamespace },
        resyncMs,
        runtime,
        onError: (error) => onError(error, resourceName(definition)),
        ...(transform && { transform }),
      }),
    );
  }
  const cache = new ResourceCache<CachedObject>({
    definition,
    informers,
    labelSelector: labelSelector === undefined ? undefined : parseLabelSelector(labelSelector),
    showsWrites: fieldSelector === undefined && !metadataOnly,
    transform,
  });
  for (const [name, valuesOf] of Object.entries(own.indexes ?? {}))
    cache.addIndex(name, valuesOf as IndexFunction<CachedObject>);
  return cache;
}
