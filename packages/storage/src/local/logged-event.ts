import type { KeyEvent, KeyRecord } from "../key-value-store.js";
import type { Change, IndexEntry, Journal } from "./journal.js";

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

  get record(): KeyRecord | undefined {
    const { key, entry, value } = this.#change;
    if (entry === undefined || value === undefined) return undefined;
    return (this.#record ??= recordOf(key, entry, value));
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
