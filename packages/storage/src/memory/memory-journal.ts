import type { KeyRecord, Note } from "../contract/key-value-store.js";
import type { Batch, Change, Journal, Placement } from "../local/index.js";
import { recordOf } from "../local/index.js";

/** An entry of the memory engine is the record itself. */
export interface MemoryRecord extends KeyRecord {
  readonly note?: Note;
}

/** The changes since the compaction, oldest first, in one array. Nothing here can fail or be waited for. */
export class MemoryJournal implements Journal<MemoryRecord> {
  readonly slow = false;
  #changes: Change<MemoryRecord>[];

  constructor(changes: readonly Change<MemoryRecord>[] = []) {
    this.#changes = changes.slice();
  }

  /** Another journal with the same past and a future of its own. */
  fork(): MemoryJournal {
    return new MemoryJournal(this.#changes);
  }

  entryFor(
    { key, revision, createRevision, version, lease }: Placement,
    value: Uint8Array,
    note: Note | undefined,
  ): MemoryRecord {
    const record = recordOf(key, { revision, createRevision, version, lease }, value);
    // Assigned: in Node 20 each object that gets a member after a spread has a hidden class of its own.
    return note === undefined ? record : Object.assign(record, { note });
  }

  append({ changes, compacted }: Batch<MemoryRecord>): undefined {
    for (const change of changes) this.#changes.push(change);
    if (compacted !== undefined) this.#changes = this.#changes.slice(this.#firstAfter(compacted));
  }

  record(_key: string, entry: MemoryRecord): KeyRecord {
    return entry;
  }

  *changes(after: number, upTo: number): Generator<Change<MemoryRecord>, void> {
    const changes = this.#changes;
    for (let i = this.#firstAfter(after); i < changes.length; i++) {
      const change = changes[i]!;
      if (change.revision > upTo) return;
      yield change;
    }
  }

  async *versions(
    key: string,
    upTo: number,
    newest: MemoryRecord | undefined,
  ): AsyncGenerator<Change<MemoryRecord>, void> {
    let before = newest;
    for (const change of this.#changes.toReversed()) {
      if (change.key !== key) continue;
      if (change.revision <= upTo) yield change;
      before = change.previous;
    }
    // What stood there at the compaction; its own change has been dropped.
    if (before !== undefined && before.revision <= upTo) {
      yield {
        revision: before.revision,
        key,
        entry: before,
        previous: undefined,
        value: before.value,
        note: before.note,
      };
    }
  }

  pin(): undefined {}

  sizeBytes(): number {
    return 0;
  }

  async close(): Promise<void> {}

  #firstAfter(revision: number): number {
    let low = 0;
    let high = this.#changes.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#changes[middle]!.revision <= revision) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
