import type { KeyEvent, KeyRecord, Note } from "../contract/key-value-store.js";

/**
 * The changes of a store, for longer than the store itself keeps them: a log beside it, compressed, bounded by size and age. It is
 * fed by the store's synchronous batches and written afterwards; no writer waits for it.
 *
 * Guarantees:
 * - Every change that the rules keep is in it once, in order, with the bytes that were written, or it lies in a gap that is reported.
 * - What was recorded can be read at once, whether or not it is on disk yet.
 * - A crash loses what was recorded in the last `flushMs`; the store's own log brings that back when the chronicle is opened again in time.
 */
export interface Chronicle {
  /** Takes a batch: cheap and synchronous. `progress` as in `KeyValueStore.watch`. */
  record(events: readonly KeyEvent[], progress: number): void;
  /** Nobody can record what is missing up to this revision any more: it becomes a gap. */
  lose(to: number, why: string): void;
  /** Changes, newest first, in portions. */
  changes(query: ChangeQuery, signal?: AbortSignal): AsyncIterable<readonly ChronicleChange[]>;
  /** The last change of a key up to a revision, a deletion included; undefined: none is known. */
  lastChange(key: string, upTo: number): Promise<ChronicleChange | undefined>;
  /** The records below a prefix at a revision, in key order. Rejects with "expired" before `oldest` and in a gap. */
  stateAt(prefix: string, revision: number, signal?: AbortSignal): Promise<readonly KeyRecord[]>;
  /** The last revision written at or before a time, in milliseconds since 1970; undefined: the chronicle begins later. */
  revisionAt(time: number): Promise<Moment | undefined>;
  /** The recorded changes around a revision. */
  momentOf(revision: number): Promise<{ readonly at?: Moment; readonly previous?: Moment; readonly next?: Moment }>;
  reach(): ChronicleReach;
  /** Resolves when everything that was recorded is in the files. */
  flush(): Promise<void>;
  /** Flushes, then closes. */
  close(): Promise<void>;
}

/** One change of one key. */
export interface ChronicleChange {
  readonly key: string;
  readonly type: "put" | "delete";
  readonly revision: number;
  /** Which change of its revision, from 0; left out for the first. */
  readonly sub?: number | undefined;
  /** Of the write that made the key; 0 for a delete. */
  readonly createRevision: number;
  /** Number of writes since it was created, from 1; 0 for a delete. */
  readonly version: number;
  /** What was written; undefined for a delete, and where only a digest is kept. */
  readonly value: Uint8Array | undefined;
  /** In place of a value that is not kept, as the rules made it. */
  readonly digest?: unknown;
  readonly note?: Note | undefined;
  /** What the recorder added, as it was given. */
  readonly causes?: unknown;
}

export interface ChangeQuery {
  /** One key, or all keys below a prefix that ends with "/". Several: of any of them. @default all */
  readonly keys?: readonly string[];
  readonly prefixes?: readonly string[];
  /** Up to and including. @default the newest */
  readonly to?: number;
  /** Later than this. @default the oldest */
  readonly after?: number;
}

export interface Moment {
  readonly revision: number;
  /** Milliseconds since 1970. */
  readonly time: number;
}

/** Changes of these revisions are missing: after `after`, up to and including `to`. */
export interface Gap {
  readonly after: number;
  readonly to: number;
  readonly why: string;
}

export interface ChronicleReach {
  /** States can be read from this revision on; undefined: not yet. */
  readonly oldest: Moment | undefined;
  /** Everything up to here is recorded. */
  readonly newest: number;
  readonly gaps: readonly Gap[];
  readonly bytes: number;
  readonly changes: number;
}

/** What is kept of which key. */
export interface KeepRules {
  /** Decided by the key alone. `digest`: what happened, but never the value. */
  of(key: string): "value" | "digest" | "nothing";
  /** A change without content, such as a heartbeat. Asked after the writer was answered, only for keys whose values are kept. */
  isNoise(event: KeyEvent): boolean;
  /** What is kept in place of the values; JSON. */
  digest(event: KeyEvent): unknown;
}

export interface ChronicleLimits {
  /** Of all files. The oldest segment is deleted whole when there is more. */
  readonly bytes: number;
  /** What is older goes, segment by segment. @default Infinity */
  readonly ageMs?: number;
}
