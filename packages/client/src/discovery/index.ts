export type { ApiSurface, DiscoveredGroup, DiscoveredResource } from "./api-surface.js";
export { createDiscoveryClient, type DiscoveryCache, type DiscoveryClient } from "./discovery-client.js";
export { createDynamicMapper, type DynamicMapper } from "./dynamic-mapper.js";
// For caches.
export { groupOfLegacy, legacyDocuments, resourcesOfList } from "./legacy.js";
