export {
  createSharedInformer,
  type HandlerOptions,
  type HandlerRegistration,
  type SharedIndexInformer,
  type SharedInformerOptions,
} from "./shared-informer.js";
export {
  createSharedInformerFactory,
  type OpenListerWatcher,
  type SharedInformerFactory,
  type SharedInformerFactoryOptions,
  type UntypedObject,
} from "./shared-informer-factory.js";
export { type EventHandler, filterEvents } from "./event-handler.js";
export { createLister, type Lister, type NamespaceLister } from "./lister.js";
export { type ObjectEvent, waitUntil, type WaitUntilOptions } from "./wait-until.js";
export { retryWatch, type RetryWatchOptions } from "./retry-watcher.js";
export { withoutManagedFields } from "./without-managed-fields.js";
export { filterListerWatcher, type ListFilter } from "./filtered-lister-watcher.js";
export {
  type CachedObject,
  createIndexer,
  createStore,
  indexByNamespace,
  type Indexer,
  type Indexers,
  type IndexFunction,
  keyOf,
  namespaceIndex,
  type ReadonlyIndexer,
  type ReadonlyStore,
  resourceVersionOf,
  type Store,
} from "../stores/index.js";

// For extenders.
export {
  createReflector,
  type Reflector,
  type ReflectorHealth,
  type ReflectorOptions,
  type ReflectorState,
} from "./reflector.js";
export { ShortWatchError, WentBackwardsError } from "./reflector-recovery.js";
export { DeadlineError } from "../deadline/index.js";
export type { Delta, ObjectDelta } from "./delta.js";
export type { DeltaQueue, DeltaQueueOptions, KnownObjects, ReflectorTarget } from "./delta-queue.js";
export { createInOrderFifo } from "./in-order-fifo.js";
export { createDeltaFifo, type DeltaFifoOptions } from "./delta-fifo.js";
export { applyDeltas, type ChangeSink } from "./apply-deltas.js";
export { createMutationDetector, type MutationDetector, type MutationDetectorOptions } from "./mutation-detector.js";
export { createLatch, type Latch } from "./latch.js";
