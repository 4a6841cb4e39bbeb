import type { KeyRecord, LeaseId, Note, UnreadableValue } from "../contract/key-value-store.js";
import type { StoreError } from "../contract/store-error.js";
import type { SortedMap } from "../sorted-map/index.js";

/** What is kept in memory of each key. The memory engine's entries are whole records; the embedded one's have the position of the value. */
export interface IndexEntry {
  readonly revision: number;
  readonly createRevision: number;
  readonly version: number;
  readonly lease?: LeaseId | undefined;
}

/** One key's change in one revision. */
export interface Change<E extends IndexEntry> {
  readonly revision: number;
  readonly key: string;
  /** The new entry; undefined: deleted. */
  readonly entry: E | undefined;
  /** The entry before. */
  readonly previous: E | undefined;
  /** What was written; undefined for a delete. */
  readonly value: Uint8Array | undefined;
  /** The value is not what was written. Only where a journal reads it back from a disk. */
  readonly unreadable?: UnreadableValue | undefined;
  readonly note: Note | undefined;
}

export type LeaseChange =
  | { readonly do: "grant"; readonly lease: LeaseId; readonly ttlMs: number }
  | { readonly do: "end"; readonly lease: LeaseId };

/** What becomes durable at once. */
export interface Batch<E extends IndexEntry> {
  /** The store's revision once this is durable. */
  readonly revision: number;
  /** In order of revision, and of the writes within one. */
  readonly changes: readonly Change<E>[];
  readonly leases: readonly LeaseChange[];
  /** History before this revision is forgotten. */
  readonly compacted: number | undefined;
}

/** Where a put will stand: all of its record but the value. */
export interface Placement {
  readonly key: string;
  readonly revision: number;
  /** Which change of its revision, from 0. */
  readonly sub: number;
  readonly createRevision: number;
  readonly version: number;
  readonly lease: LeaseId | undefined;
}

/** Keeps what a reader sees from being scrubbed until released. */
export interface Pin {
  release(): void;
}

/** The store above a journal. */
export interface JournalOwner<E extends IndexEntry> {
  /** How many keys are visible now. */
  keys(): number;
  /** What is visible now; it never changes. Asked for seldom: keys can be changed in place until then. */
  state(): { readonly index: SortedMap<E>; readonly revision: number; readonly compacted: number };
  /** The disk has failed outside of an append. */
  failed(error: StoreError): void;
}

/**
 * Where an engine of our own keeps what was written, in the order it was written. All that is common to such engines (the
 * order of writes, conflicts, watches, leases, reads in the past) is above it, in this folder.
 */
export interface Journal<E extends IndexEntry> {
  /** Whether an append is slow enough to wait for more writes before it. */
  readonly slow: boolean;
  entryFor(placement: Placement, value: Uint8Array, note: Note | undefined): E;
  /**
   * Makes the batch durable, whole or not at all; undefined when it is so on return. One at a time.
   * Rejects with a StoreError: "full" if nothing of it is there, "outcome-unknown" if that is not known, and then it is not called again.
   */
  append(batch: Batch<E>): Promise<void> | undefined;
  /** The record of an entry; undefined once its value has been scrubbed. One that is damaged is `unreadable`. */
  record(key: string, entry: E, pin?: Pin): KeyRecord | undefined;
  /**
   * The changes after revision `after` up to and including `upTo`, oldest first. Both lie at or behind the compaction.
   * @throws StoreError "unreadable" when one of them is damaged or missing
   */
  changes(after: number, upTo: number): Iterable<Change<E>>;
  /**
   * The changes of one key up to the revision, newest first, back to the compaction and the one that stood there then.
   * `newest` is the key's entry now, if it has one.
   */
  versions(key: string, upTo: number, newest: E | undefined): AsyncIterable<Change<E>>;
  /** `undefined` when nothing needs to be kept: entries hold their values. */
  pin(): Pin | undefined;
  sizeBytes(): number;
  /** Why nothing more can be appended for now; undefined: it can. @default always */
  fullness?(): Promise<string | undefined>;
  /** Called once, before the first append. */
  attach?(owner: JournalOwner<E>): void;
  /** Called when a batch has become visible for maintenance, such as freeing what was compacted. */
  settle?(): void;
  close(): Promise<void>;
}
