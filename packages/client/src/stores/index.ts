export { type CachedObject, type KeyFunction, keyOf, resourceVersionOf } from "./cached-object.js";
export { isNewerVersion } from "./version-order.js";
export { createStore, type ReadonlyStore, type Store, type StoreOptions } from "./store.js";
export {
  createIndexer,
  indexByNamespace,
  type Indexer,
  type IndexerOptions,
  type Indexers,
  type IndexFunction,
  namespaceIndex,
  type ReadonlyIndexer,
} from "./indexer.js";
export { createUndeltaStore } from "./undelta-store.js";
export { createFifo, type Fifo } from "./fifo.js";
export { createHeap, type Heap } from "./heap.js";
export { createExpirationCache, type ExpirationCache, type ExpirationCacheOptions } from "./expiration-cache.js";
