/**
 * The narrow waist between the API server and whatever keeps its bytes: an ordered key-value log.
 * One revision counter covers every key; it starts at 1 and only grows, also over restarts.
 * Keys sort by their UTF-8 bytes. Values are opaque.
 *
 * Guarantees, for every engine:
 * - Visible once durable: a write is seen by get, range and watchers, and its writer is answered, only after it is on disk.
 * - Watchers receive a batch synchronously, before the writers of that batch are answered: nobody waits to read their own write.
 * - A lost race is an answer (`conflict`), never an exception. What throws is a failed store (`StoreError`) or an abort.
 * - After `close()` every method rejects with a StoreError of reason "closed".
 */
export interface KeyValueStore {
  get(key: string, options?: ReadOptions): Promise<KeyRecord | undefined>;
  /** Records whose key starts with `prefix`, in key order, all as of one revision. */
  range(query: RangeQuery, signal?: AbortSignal): Promise<RangeResult>;
  /**
   * Writes if the key is still at revision `expected` (0: the key must not exist).
   * A lost race resolves to `conflict` with what is there now; losing to a write not yet durable is answered once that one is.
   */
  put(write: PutWrite, signal?: AbortSignal): Promise<PutResult>;
  /** Deletes if the key is still at revision `expected`. A key that does not exist is a conflict with nothing. */
  delete(write: DeleteWrite, signal?: AbortSignal): Promise<DeleteResult>;
  /** All writes or none, in one revision. A key may occur once. `conflict` names the first write that lost. */
  transaction(writes: readonly Write[], signal?: AbortSignal): Promise<TransactionResult>;
  /**
   * Events after revision `from`, gap-free and in order, in synchronous batches, before their writers are answered.
   * A batch holds whole revisions. `onBatch` must not throw and must not keep the array.
   * Resolves when aborted; rejects with `StoreError` "expired" once `from` is compacted.
   * Events up to the current revision are delivered (possibly in several batches) before the first live one.
   */
  watch(query: WatchQuery, onBatch: (events: readonly KeyEvent[], progress: number) => void, signal: AbortSignal): Promise<void>;
  /** Forgets history before `revision`: older reads and watches answer "expired". Resolves once it is so; space comes back later. */
  compact(revision: number): Promise<void>;
  /** A revision at least as new as every write acknowledged before the call, by any client of the store. */
  readRevision(signal?: AbortSignal): Promise<number>;
  /** Versions of one key, newest first, back to the compaction. */
  history(key: string, options?: { limit?: number }): Promise<HistoryEntry[]>;
  leases: LeaseStore;
  status(): Promise<StoreStatus>;
  /** Finishes what is pending, then closes. Watches resolve. */
  close(): Promise<void>;
}

export interface ReadOptions {
  /** As of this revision; a compacted one rejects with "expired", a future one with "future". @default the newest */
  at?: number;
  signal?: AbortSignal;
}

export interface RangeQuery {
  prefix: string;
  /** Begin at this key (inclusive), which starts with `prefix`. */
  start?: string;
  /** At most this many records. @default all */
  limit?: number;
  at?: number;
  /** Leave out the values (they are empty). */
  keysOnly?: boolean;
  /** Only count. */
  countOnly?: boolean;
}

export interface RangeResult {
  records: readonly KeyRecord[];
  /** The revision the answer is of. */
  revision: number;
  /** Whether `limit` cut it. */
  more: boolean;
  /** How many keys there are from `start` on, ignoring `limit`. */
  count: number;
}

export interface KeyRecord {
  readonly key: string;
  readonly value: Uint8Array;
  /** Of the last write. */
  readonly revision: number;
  readonly createRevision: number;
  /** Number of writes since it was created, from 1. */
  readonly version: number;
  readonly lease?: LeaseId;
  /** The value was read through a transformation that would write it otherwise today (an old key, an old encoding). */
  readonly stale?: boolean;
}

export interface PutWrite {
  readonly key: string;
  readonly value: Uint8Array;
  readonly expected: number;
  readonly lease?: LeaseId;
  readonly note?: Note;
}
export interface DeleteWrite {
  readonly key: string;
  readonly expected: number;
  readonly note?: Note;
}
export type Write = ({ readonly op: "put" } & PutWrite) | ({ readonly op: "delete" } & DeleteWrite) | { readonly op: "check"; readonly key: string; readonly expected: number };

/** Who wrote and how; kept with the revision for `history`. */
export interface Note {
  readonly time: number;
  readonly user?: string;
  readonly verb?: string;
  readonly manager?: string;
}

export type PutResult = { readonly kind: "written"; readonly revision: number } | Conflict;
export type DeleteResult = { readonly kind: "deleted"; readonly revision: number; readonly previous: KeyRecord } | Conflict;
export type TransactionResult = { readonly kind: "written"; readonly revision: number } | (Conflict & { readonly index: number });
export interface Conflict {
  readonly kind: "conflict";
  readonly current: KeyRecord | undefined;
}

export interface WatchQuery {
  prefix: string;
  /** Events of later revisions only. */
  from: number;
}

export interface KeyEvent {
  readonly type: "put" | "delete";
  readonly key: string;
  readonly revision: number;
  /** What was written; undefined for a delete. */
  readonly record: KeyRecord | undefined;
  /** What stood there before; undefined when the key is new, or when its old value has been compacted. */
  readonly previous: KeyRecord | undefined;
}

export interface HistoryEntry {
  readonly type: "put" | "delete";
  readonly revision: number;
  readonly value: Uint8Array | undefined;
  readonly note?: Note;
}

export type LeaseId = number;

/** Keys that go away by themselves. A lease is kept alive by its owner; when it ends, its keys are deleted in one revision. */
export interface LeaseStore {
  grant(ttlMs: number): Promise<LeaseId>;
  /** Resolves to false when the lease is gone. */
  keepAlive(lease: LeaseId): Promise<boolean>;
  revoke(lease: LeaseId): Promise<void>;
}

export interface StoreStatus {
  readonly engine: "memory" | "lmdb" | "etcd";
  readonly revision: number;
  readonly compactedRevision: number;
  readonly keys: number;
  /** On disk, 0 in memory. */
  readonly sizeBytes: number;
  /** Why the store no longer writes. */
  readonly readOnly?: string;
}
