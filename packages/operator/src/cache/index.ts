export {
  cacheOf,
  type CacheOfResource,
  type CacheOptions,
  defaultResyncMs,
  type ResourceCacheOptions,
} from "./cache-options.js";
export { type ClusterCache, type ClusterCacheOptions, createClusterCache } from "./cluster-cache.js";
export { type ListOptions, ResourceCache } from "./resource-cache.js";
export { type CachedState, WrittenObjects } from "./written-objects.js";
