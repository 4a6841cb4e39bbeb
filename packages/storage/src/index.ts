export type * from "./key-value-store.js";
export { encryptedForm, type EncryptedForm, writerText } from "./encrypted-form.js";
export { passOn } from "./pass-on.js";
export { damagedValue, hasStoreReason, isStoreError, StoreError, type StoreErrorReason } from "./store-error.js";
export { createMemoryStore, type MemorySnapshot, type MemoryStore, type MemoryStoreOptions } from "./memory/index.js";
