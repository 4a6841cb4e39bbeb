export type * from "./contract/key-value-store.js";
export { encryptedForm, type EncryptedForm, writerText } from "./contract/encrypted-form.js";
export { passOn } from "./contract/pass-on.js";
export {
  damagedValue,
  hasStoreReason,
  isStoreError,
  StoreError,
  type StoreErrorReason,
} from "./contract/store-error.js";
export { createMemoryStore, type MemorySnapshot, type MemoryStore, type MemoryStoreOptions } from "./memory/index.js";
