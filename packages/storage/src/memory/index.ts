export {
  createMemoryStore,
  type LogEntry,
  type MemorySnapshot,
  type MemoryStore,
  type MemoryStoreOptions,
} from "./memory-store.js";
