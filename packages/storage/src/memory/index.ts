export { createMemoryStore, type MemorySnapshot, type MemoryStore, type MemoryStoreOptions } from "./memory-store.js";
