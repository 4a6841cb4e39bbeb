import type { UnreadableValue } from "./key-value-store.js";

/** Why the store could not answer. A lost race is not among these: it is an answer. */
export type StoreErrorReason =
  /** The revision asked for has been compacted. */
  | "expired"
  /** The revision asked for is not there yet. */
  | "future"
  | "closed"
  /** No room: the batch was refused whole, nothing of it is there. */
  | "full"
  /** The write may or may not have happened. An embedded store writes no more after it; over etcd, where only the answer was lost, the store goes on. */
  | "outcome-unknown"
  | "read-only"
  /** Not a store, a damaged one, or one of a newer format. */
  | "unreadable"
  /** The store (a remote one) does not answer now. */
  | "unavailable"
  /** A write that no engine takes: a key twice in one transaction. */
  | "invalid"
  /** A write that this store does not take, for its size; nothing of it is there. */
  | "too-large"
  /** The lease that a put names has ended; grant another. */
  | "lease-gone";

/** Known by this rather than by class: a bundle and a package may both be loaded. */
const brand = Symbol.for("coxswain.StoreError");

export class StoreError extends Error {
  readonly reason: StoreErrorReason;
  readonly [brand] = true;

  constructor(reason: StoreErrorReason, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "StoreError";
    this.reason = reason;
  }
}

export const isStoreError = (err: unknown): err is StoreError =>
  typeof err === "object" && err !== null && brand in err;

export const hasStoreReason = (err: unknown, reason: StoreErrorReason): boolean =>
  isStoreError(err) && err.reason === reason;

/** Why a value cannot be read that the disk no longer has as it was written: its checksum differs, or it is gone. */
export const damagedValue = (
  { key, revision }: { readonly key: string; readonly revision: number },
  why: string,
): UnreadableValue => ({
  step: "read",
  message: `the value of ${key} at revision ${revision} cannot be read: ${why}. "coxswain store check" names all that is damaged; restore a backup, or replace or delete the object`,
});

/** What a read of that value alone rejects with. */
export const unreadableValueError = ({ message }: UnreadableValue): StoreError => new StoreError("unreadable", message);
