export type * from "./key-value-store.js";
export { hasStoreReason, StoreError, type StoreErrorReason } from "./store-error.js";
