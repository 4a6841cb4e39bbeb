export { emptyState, LocalStore, type InitialState, type LocalStoreOptions } from "./local-store.js";
export type { CompactionOptions } from "./automatic-compaction.js";
export type { Batch, Change, IndexEntry, Journal, JournalOwner, LeaseChange, Pin, Placement } from "./journal.js";
export { damagedRecord, recordOf } from "./logged-event.js";
