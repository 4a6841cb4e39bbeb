import type {
  HistoryEntry,
  KeyRecord,
  KeyValueStore,
  LeaseId,
  Note,
  RangeQuery,
  StoreStatus,
  UnreadableValue,
} from "../contract/key-value-store.js";
import type { StoreErrorReason } from "../contract/store-error.js";

/** Goes up when an older one would not understand. The other side is then refused with a sentence, not served by halves. */
export const protocolVersion = 1;

/** The part of a store that an operator's commands need, near or through a socket. */
export type StoreAccess = Pick<
  KeyValueStore,
  "get" | "range" | "history" | "compact" | "snapshot" | "defragment" | "status" | "close"
>;

/** The server speaks first. */
export interface Hello {
  readonly store: "coxswain";
  readonly protocol: number;
  readonly pid: number;
}

/** One at a time on a connection: the next is read when the last one is answered. */
export type Request =
  | { readonly method: "status" }
  | { readonly method: "get"; readonly key: string; readonly at?: number }
  | { readonly method: "range"; readonly query: RangeQuery }
  | { readonly method: "history"; readonly key: string; readonly limit?: number }
  | { readonly method: "compact"; readonly revision: number }
  | { readonly method: "defragment" }
  /** The connection holds the snapshot from now on, until it ends or asks for another. */
  | { readonly method: "snapshot" }
  /** The records of the snapshot: answered by any number of `records`, then `end`. */
  | { readonly method: "batches" };

/** Values are in the body, one after another; `length` is the length of each. */
export type RecordHead = Omit<KeyRecord, "value"> & { readonly length: number };
export type EntryHead = {
  readonly type: HistoryEntry["type"];
  readonly revision: number;
  readonly note?: Note;
  readonly unreadable?: UnreadableValue;
  readonly length?: number;
};

export type Answer =
  | { readonly kind: "error"; readonly reason: StoreErrorReason; readonly message: string }
  | { readonly kind: "done" }
  | { readonly kind: "defragmented"; readonly beforeBytes: number; readonly afterBytes: number }
  | { readonly kind: "end" }
  | { readonly kind: "status"; readonly status: StoreStatus }
  | { readonly kind: "records"; readonly records: readonly RecordHead[] }
  | {
      readonly kind: "range";
      readonly records: readonly RecordHead[];
      readonly revision: number;
      readonly more: boolean;
      readonly count: number;
    }
  | { readonly kind: "history"; readonly entries: readonly EntryHead[] }
  | {
      readonly kind: "snapshot";
      readonly revision: number;
      readonly keys: number;
      readonly leases?: readonly { readonly lease: LeaseId; readonly ttlMs: number }[];
    };

export type AnswerOf<K extends Answer["kind"]> = Extract<Answer, { kind: K }>;
