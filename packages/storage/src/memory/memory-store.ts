import type { Runtime } from "@coxswain/runtime";
import type { HistoryEntry, KeyValueStore, StoreSnapshot } from "../contract/key-value-store.js";
import { type CompactionOptions, emptyState, type InitialState, LocalStore } from "../local/index.js";
import { MemoryJournal, type MemoryRecord } from "./memory-journal.js";

export interface MemoryStoreOptions {
  readonly runtime: Runtime;
  /** Begins as that store was. @default empty */
  readonly initial?: MemorySnapshot;
  /** The revision of an empty store; ignored with `initial`. @default 1 */
  readonly firstRevision?: number;
  /** @default none: the whole history is kept until someone compacts */
  readonly compaction?: CompactionOptions;
}

/** Everything that a memory store was at one moment, history included. It shares all of it, so it costs next to nothing. */
export interface MemorySnapshot extends StoreSnapshot {
  readonly [stateOf]: { readonly state: InitialState<MemoryRecord>; readonly journal: MemoryJournal };
}

const stateOf: unique symbol = Symbol("state of a memory store");

/** One change of one key. */
export interface LogEntry extends HistoryEntry {
  readonly key: string;
}

export interface MemoryStore extends KeyValueStore {
  /** Of the newest write, also once the store is closed. */
  readonly revision: number;
  /** Every change after a revision that is still known, oldest first, as of now. */
  log(after?: number): readonly LogEntry[];
  snapshot(signal?: AbortSignal): Promise<MemorySnapshot>;
  /**
   * Another store that has all that this one shows now, and goes its own way from here. Writes not yet answered are not in it.
   * Leases go on with their full time. At once and without a copy of any value.
   */
  fork(options?: { readonly runtime?: Runtime }): MemoryStore;
}

/** A store that lives and dies with the process. Writes are answered within the same iteration of the event loop, after watchers were called. */
export function createMemoryStore({ runtime, initial, firstRevision, compaction }: MemoryStoreOptions): MemoryStore {
  if (initial === undefined)
    return new MemoryEngine({ runtime, compaction }, emptyState(firstRevision), new MemoryJournal());
  const { state, journal } = initial[stateOf];
  return new MemoryEngine({ runtime, compaction }, state, journal.fork());
}

class MemoryEngine extends LocalStore<MemoryRecord> implements MemoryStore {
  readonly #journal: MemoryJournal;
  readonly #options: { runtime: Runtime; compaction: CompactionOptions | undefined };

  constructor(
    options: { runtime: Runtime; compaction: CompactionOptions | undefined },
    initial: InitialState<MemoryRecord>,
    journal: MemoryJournal,
  ) {
    super({ engine: "memory", ...options, journal, initial });
    this.#journal = journal;
    this.#options = options;
  }

  override async snapshot(signal?: AbortSignal): Promise<MemorySnapshot> {
    // Taken before the first wait: both are of the same moment.
    const taken = { state: this.state, journal: this.#journal.fork() };
    return { ...(await super.snapshot(signal)), [stateOf]: taken };
  }

  get revision(): number {
    return this.reached;
  }

  log(after = 0): readonly LogEntry[] {
    const entries: LogEntry[] = [];
    for (const { key, revision, entry, value, note } of this.#journal.changes(after, this.revision))
      entries.push({ type: entry === undefined ? "delete" : "put", key, revision, value, ...(note && { note }) });
    return entries;
  }

  fork({ runtime = this.#options.runtime }: { runtime?: Runtime } = {}): MemoryStore {
    return new MemoryEngine({ ...this.#options, runtime }, this.state, this.#journal.fork());
  }
}
