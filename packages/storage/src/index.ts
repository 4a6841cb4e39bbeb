export type * from "./key-value-store.js";
export { passOn } from "./pass-on.js";
export { DamagedValueError, hasStoreReason, isStoreError, StoreError, type StoreErrorReason } from "./store-error.js";
export { createMemoryStore, type MemorySnapshot, type MemoryStore, type MemoryStoreOptions } from "./memory/index.js";
