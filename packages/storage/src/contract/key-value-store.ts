/**
 * The narrow waist between the API server and whatever keeps its bytes: an ordered key-value log.
 * One revision counter covers every key; an empty store is at revision 1, and it only grows, also over restarts.
 * Every put, delete and transaction that is written takes one revision of its own.
 * Keys are well-formed, non-empty strings and sort by their UTF-8 bytes. Values are opaque, and shared rather than copied:
 * bytes handed in or out are never changed afterwards, by either side.
 *
 * Guarantees, for every engine:
 * - Visible once durable: a write is seen by get, range and watchers, and its writer is answered, only after it is on disk.
 * - Watchers receive a batch synchronously, before the writers of that batch are answered: nobody waits to read their own write.
 * - A lost race is an answer (`conflict`), never an exception. What throws is a failed store (`StoreError`) or an abort.
 * - An abort rejects with the signal's reason. A write that is aborted may have happened or not.
 * - What the disk no longer has as it was written is never handed out as a value, and hides nothing else: a record whose value
 *   is damaged is `unreadable` and empty wherever several records are returned or one is returned on the side (a range, a
 *   history, an event, what a write conflicted with, what a delete removed). What was asked for alone, and a snapshot, which is
 *   all or nothing, reject with that error. A damaged value can still be replaced and deleted.
 * - After `close()` every method rejects with a StoreError of reason "closed".
 */
export interface KeyValueStore {
  /**
   * The key's record, as new as every write acknowledged before the call; undefined where there is none. A value that
   * cannot be read rejects with "unreadable"; wherever else a record is returned, that is a fact about the record alone.
   */
  get(key: string, options?: ReadOptions): Promise<KeyRecord | undefined>;
  /** Records whose key starts with `prefix`, in key order, all as of one revision. */
  range(query: RangeQuery, signal?: AbortSignal): Promise<RangeResult>;
  /**
   * Writes if the key is still at revision `expected` (0: the key must not exist).
   * A lost race resolves to `conflict` with what is there now; losing to a write not yet durable is answered once that one is.
   */
  put(write: PutWrite, signal?: AbortSignal): Promise<PutResult>;
  /** Deletes if the key is still at revision `expected`. A key that does not exist is a conflict with nothing, also when 0 was expected. */
  delete(write: DeleteWrite, signal?: AbortSignal): Promise<DeleteResult>;
  /**
   * All writes or none, in one revision. A key may occur once. `conflict` names the first write that lost.
   * A `check` writes nothing: it only makes the transaction depend on a key, a `check range` on all keys of a range. Checks alone answer `written` with the current revision.
   */
  transaction(writes: readonly Write[], signal?: AbortSignal): Promise<TransactionResult>;
  /**
   * Events after revision `from`, gap-free and in order, in synchronous batches, before their writers are answered.
   * A batch holds whole revisions, the events of one in the order of its writes. `onBatch` must not throw and must not keep the array.
   * `progress` is the revision up to which the watcher has now seen everything; a batch may be empty and bring nothing but that.
   * Resolves when aborted; rejects with `StoreError` "expired" if `from` is before the compaction, at the start or once it
   * overtakes a watcher that is still catching up. One that has caught up never expires. A `from` in the future waits for it.
   * Events up to the current revision are delivered (in several batches, over several iterations of the event loop) before the first live one;
   * the last of these batches, empty if there was nothing, has the store's revision as its progress.
   */
  watch(
    query: WatchQuery,
    onBatch: (events: readonly KeyEvent[], progress: number) => void,
    signal: AbortSignal,
  ): Promise<void>;
  /**
   * Forgets history before `revision`: reads at an older one and watches from an older one answer "expired"; reads at it and
   * watches from it still work. Resolves once it is so; space comes back later. An older revision than the last time does
   * nothing, one that is not there yet rejects with "future".
   */
  compact(revision: number): Promise<void>;
  /**
   * A revision at least as new as every write acknowledged before the call, by any client of the store. Synchronous in
   * a store that knows it; failures are rejections.
   */
  readRevision(signal?: AbortSignal): number | Promise<number>;
  /** Versions of one key, newest first, back to the one that stood at the compaction. Deletions are among them. */
  history(key: string, options?: { limit?: number }): Promise<HistoryEntry[]>;
  /**
   * Everything there is, as of one revision, readable while others go on writing; compaction does not take it away.
   * It costs next to nothing to make. Close it: an engine may have to keep what it shows.
   */
  snapshot(signal?: AbortSignal): Promise<StoreSnapshot>;
  /** Keys that end with who wrote them; see there. */
  leases: LeaseStore;
  /**
   * Whether the key's record is `stale` now. What a watch or a range returned may be out of date: the transformation itself
   * changes, at no revision. Only there where values are transformed; elsewhere what was returned stays true.
   */
  isStale?(key: string): Promise<boolean>;
  /**
   * Gives room that is no longer used back to the disk, while everything goes on; writers wait for the last of it. A crash in
   * the middle leaves the file as it was. Only there where the engine has a file of its own.
   * Rejects with "full" when there is no room for a second copy, and with "unavailable" while it is being done already.
   */
  defragment?(): Promise<DefragmentResult>;
  /**
   * How the store is. Of numbers that change with every write no two need be of the same moment. Rejects with
   * "unavailable" where the store is elsewhere and does not answer.
   */
  status(): Promise<StoreStatus>;
  /** Finishes what is pending, then closes. Watches resolve. */
  close(): Promise<void>;
}

export interface ReadOptions {
  /** As of this revision; a compacted one rejects with "expired", a future one with "future". 0: the newest. @default 0 */
  at?: number;
  signal?: AbortSignal;
}

export interface RangeQuery {
  prefix: string;
  /** Begin at this key (inclusive). @default the first with `prefix` */
  start?: string;
  /** At most this many records. 0: all. @default 0 */
  limit?: number;
  /** As in `ReadOptions`. */
  at?: number;
  /** Leave out the values (they are empty). */
  keysOnly?: boolean;
  /** Only count: no records, and `more` is false. */
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
  /** Set where the value cannot be read. `value` is then what is stored, as it is stored; it is empty where the disk has lost it. */
  readonly unreadable?: UnreadableValue;
}

/** Why one value cannot be read while the store is well: its bytes are damaged, its key is lost, or somebody wrote something else there. */
export interface UnreadableValue {
  /** `read`: the disk no longer has it as it was written. `transform`: it cannot be decrypted. `decode`: what was decrypted is no object of its kind. */
  readonly step: "read" | "transform" | "decode";
  readonly message: string;
}

export interface PutWrite {
  readonly key: string;
  readonly value: Uint8Array;
  readonly expected: number;
  /** Ties the key to this lease, and unties it from another; without one it stays by itself. A lease that is gone rejects with "lease-gone". */
  readonly lease?: LeaseId;
  readonly note?: Note;
  /**
   * Where an engine lets writes wait for each other, this one goes ahead of others: for heartbeats.
   * Urgent writes never take more than half of a batch while others wait. @default false
   */
  readonly urgent?: boolean;
}
export interface DeleteWrite {
  readonly key: string;
  readonly expected: number;
  readonly note?: Note;
}
export type Write =
  | ({ readonly op: "put" } & PutWrite)
  | ({ readonly op: "delete" } & DeleteWrite)
  | { readonly op: "check"; readonly key: string; readonly expected: number }
  | RangeCheck;

/**
 * Makes a transaction depend on a range of keys: of those that are there, none was written after revision `expected`. What a range had
 * and has no more it does not see: for that, the transaction names the keys. A conflict shows one that was written later.
 */
export interface RangeCheck {
  readonly op: "check range";
  /** The first key (inclusive); it may be empty. */
  readonly key: string;
  /** The UTF-8 bytes before which the range ends. Undefined: it has no end. */
  readonly end: Uint8Array | undefined;
  readonly expected: number;
}

/** Who wrote and how; kept with the revision for `history`. */
export interface Note {
  readonly time: number;
  readonly user?: string;
  readonly verb?: string;
  readonly manager?: string;
  /** `status`, `binding`, …; left out where the object itself was written. */
  readonly subresource?: string;
  /** Of the request, as its audit event and its answer's Audit-Id header name it. */
  readonly auditId?: string;
  readonly userAgent?: string;
  /** What the client claims to have acted on, as it sent it: a work queue, an item and the revisions that queued it. */
  readonly cause?: string;
  /** Why it was done, in words of the client. */
  readonly reason?: string;
}

export type PutResult = { readonly kind: "written"; readonly revision: number } | Conflict;
export type DeleteResult =
  | { readonly kind: "deleted"; readonly revision: number; readonly previous: KeyRecord }
  | Conflict;
export type TransactionResult =
  | { readonly kind: "written"; readonly revision: number }
  | (Conflict & { readonly index: number });
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
  /** Who wrote; undefined where the writer gave no note, and where the engine keeps none. */
  readonly note?: Note | undefined;
}

export interface HistoryEntry {
  readonly type: "put" | "delete";
  readonly revision: number;
  readonly value: Uint8Array | undefined;
  /** As in `KeyRecord`; `value` is undefined then. */
  readonly unreadable?: UnreadableValue;
  readonly note?: Note;
}

export interface StoreSnapshot {
  readonly revision: number;
  /** How many records there are. */
  readonly keys: number;
  /** The leases of that moment, if the engine knows them. */
  readonly leases?: readonly { readonly lease: LeaseId; readonly ttlMs: number }[];
  /** In key order, in handy portions. May be read more than once. */
  batches(signal?: AbortSignal): AsyncIterable<readonly KeyRecord[]>;
  close(): Promise<void>;
}

export type LeaseId = number;

/**
 * Keys that go away by themselves. A lease is kept alive by its owner; when it ends, its keys are deleted in one revision, in
 * key order. It ends some time after its last keep-alive plus `ttlMs`, never before. A restart of the store starts its time anew.
 */
export interface LeaseStore {
  /** An engine may round up to whole seconds. */
  grant(ttlMs: number): Promise<LeaseId>;
  /** Resolves to false when the lease is gone. */
  keepAlive(lease: LeaseId): Promise<boolean>;
  /** Ends it now. One that is gone already is fine. Resolves to the revision in which its keys went; where it had none, to the one then. */
  revoke(lease: LeaseId): Promise<number>;
}

/** Sizes on disk. */
export interface DefragmentResult {
  readonly beforeBytes: number;
  readonly afterBytes: number;
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
  /** Why it takes nothing more for now, though it deletes: the disk is full. */
  readonly full?: string;
}
