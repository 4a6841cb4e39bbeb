import type { KeyEvent, KeyRecord, Note } from "../contract/key-value-store.js";
import { damagedValue } from "../contract/store-error.js";
import type { Change, IndexEntry, Journal, Pin } from "./journal.js";

const none = new Uint8Array(0);

/** An event over a change. The previous record is fetched when it is asked for: most watchers never do. */
export class LoggedEvent<E extends IndexEntry> implements KeyEvent {
  readonly #change: Change<E>;
  readonly #journal: Journal<E>;
  #record: KeyRecord | undefined;
  #previous: { found: KeyRecord | undefined } | undefined;

  constructor(change: Change<E>, journal: Journal<E>) {
    this.#change = change;
    this.#journal = journal;
  }

  get type(): "put" | "delete" {
    return this.#change.entry === undefined ? "delete" : "put";
  }

  get key(): string {
    return this.#change.key;
  }

  get revision(): number {
    return this.#change.revision;
  }

  get note(): Note | undefined {
    return this.#change.note;
  }

  get record(): KeyRecord | undefined {
    const { key, entry, value } = this.#change;
    if (entry === undefined || value === undefined) return undefined;
    if (this.#record === undefined) {
      const { unreadable } = this.#change;
      this.#record = unreadable ? { ...recordOf(key, entry, none), unreadable } : recordOf(key, entry, value);
    }
    return this.#record;
  }

  get previous(): KeyRecord | undefined {
    const { key, previous } = this.#change;
    if (previous === undefined) return undefined;
    return (this.#previous ??= { found: this.#journal.record(key, previous) }).found;
  }
}

/** A plain record. `lease` is left out rather than undefined. */
export function recordOf(key: string, entry: IndexEntry, value: Uint8Array): KeyRecord {
  const { revision, createRevision, version, lease } = entry;
  return lease === undefined
    ? { key, value, revision, createRevision, version }
    : { key, value, revision, createRevision, version, lease };
}

/** A record whose value cannot be read. */
export const damagedRecord = (key: string, entry: IndexEntry, why: string): KeyRecord => ({
  ...recordOf(key, entry, none),
  unreadable: damagedValue({ key, revision: entry.revision }, why),
});

/** The record of an entry that is visible, whose value must be there. */
export const visibleRecord = <E extends IndexEntry>(journal: Journal<E>, key: string, entry: E, pin?: Pin): KeyRecord =>
  journal.record(key, entry, pin) ?? damagedRecord(key, entry, "it is not in the store any more");
