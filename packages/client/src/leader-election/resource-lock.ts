import type { ElectionRecord } from "./election-record.js";

/** Something in the API that one client at a time can hold. Writes are compare-and-set against the state read last. */
export interface ResourceLock {
  /** Who would hold the lock: different for every process. */
  readonly identity: string;
  /** For messages: `kube-system/my-controller`. */
  readonly description: string;
  /** Undefined when there is no lock yet. */
  get(signal: AbortSignal): Promise<LockState | undefined>;
  /** Throws AlreadyExists when another client was faster. */
  create(record: ElectionRecord, signal: AbortSignal): Promise<void>;
  /** Throws Conflict when the lock changed since it was last read or written here. */
  update(record: ElectionRecord, signal: AbortSignal): Promise<void>;
}

export interface LockState {
  readonly record: ElectionRecord;
  /** Differs after every write by any client. */
  readonly version: string;
}
