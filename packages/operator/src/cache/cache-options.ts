import type { DeepReadonly } from "@coxswain/api/types";
import type { CachedObject, Indexers } from "@coxswain/client/informers";
import type { ResourceDefinition } from "../resource/index.js";

/** How the objects of one resource are cached. */
export interface ResourceCacheOptions<T extends object> {
  /** Caches only objects whose labels match. */
  readonly labelSelector?: string;
  /** Caches only objects whose fields match. Such a cache does not show this process's own writes before the server sends them. */
  readonly fieldSelector?: string;
  /** @default the cache's `namespaces` */
  readonly namespaces?: readonly string[];
  /** What is kept of each object; to save memory. @default everything */
  readonly transform?: (object: T) => T;
  /** By name: the values under which an object is found. */
  readonly indexes?: Indexers<DeepReadonly<T>>;
  /** Only metadata is fetched and cached (PartialObjectMetadata). @default false */
  readonly metadataOnly?: boolean;
}

export interface CacheOptions {
  /** Caches only these namespaces; resources of the cluster are not affected. @default all of them */
  readonly namespaces?: readonly string[];
  /** For single resources: `[cacheOf(core.v1.secrets, { labelSelector: "app=video" })]`. */
  readonly resources?: readonly CacheOfResource[];
  /** Every object is handed to the controllers again after so many milliseconds; 0: never. @default 36,000,000 (10 h) */
  readonly resyncMs?: number;
}

/** Made by `cacheOf`. */
export interface CacheOfResource {
  readonly definition: ResourceDefinition<object>;
  readonly options: ResourceCacheOptions<CachedObject>;
}

export const cacheOf = <T extends object>(
  definition: ResourceDefinition<T>,
  options: ResourceCacheOptions<T>,
): CacheOfResource => ({
  definition,
  // A cache hands each function only objects of its own resource.
  options: options as unknown as ResourceCacheOptions<CachedObject>,
});

/** controller-runtime's default. */
export const defaultResyncMs = 10 * 3_600_000;
