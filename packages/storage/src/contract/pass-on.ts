import type { KeyValueStore } from "./key-value-store.js";

/** Hands everything on to `store`; a wrapper spreads it and writes down only what it does otherwise. */
export const passOn = (store: KeyValueStore): KeyValueStore => ({
  get: (key, options) => store.get(key, options),
  range: (query, signal) => store.range(query, signal),
  put: (write, signal) => store.put(write, signal),
  delete: (write, signal) => store.delete(write, signal),
  transaction: (writes, signal) => store.transaction(writes, signal),
  watch: (query, onBatch, signal) => store.watch(query, onBatch, signal),
  compact: (revision) => store.compact(revision),
  readRevision: (signal) => store.readRevision(signal),
  history: (key, options) => store.history(key, options),
  snapshot: (signal) => store.snapshot(signal),
  leases: store.leases,
  ...(store.isStale && { isStale: (key: string) => store.isStale!(key) }),
  ...(store.defragment && { defragment: () => store.defragment!() }),
  status: () => store.status(),
  close: () => store.close(),
});
