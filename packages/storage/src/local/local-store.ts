import type { Runtime } from "@coxswain/runtime";
import type { Scheduler } from "@coxswain/runtime/scheduler";
import type {
  DeleteResult,
  DeleteWrite,
  HistoryEntry,
  KeyEvent,
  KeyRecord,
  KeyValueStore,
  LeaseId,
  LeaseStore,
  PutResult,
  PutWrite,
  RangeQuery,
  RangeResult,
  ReadOptions,
  StoreSnapshot,
  StoreStatus,
  TransactionResult,
  WatchQuery,
  Write,
} from "../contract/key-value-store.js";
import { StoreError, unreadableValueError } from "../contract/store-error.js";
import { SortedMap, type SortedMapEditor } from "../sorted-map/index.js";
import { type AutomaticCompaction, type CompactionOptions, compactAutomatically } from "./automatic-compaction.js";
import { checkExpected, checkPut, checkWrites } from "./check-write.js";
import { CommitQueue } from "./commit-queue.js";
import type { Batch, IndexEntry, Journal } from "./journal.js";
import { LeaseTable } from "./lease-table.js";
import { visibleRecord } from "./logged-event.js";
import { PastViews } from "./past-views.js";
import { planBatch, type StoreReach, type StoreState } from "./plan-batch.js";
import { rangeOver } from "./range-over.js";
import type { Outcome, Request } from "./request.js";
import { snapshotOver } from "./snapshot-over.js";
import { WatchHub } from "./watch-hub.js";

/** What a store begins with. */
export interface InitialState<E extends IndexEntry> extends StoreState<E> {
  readonly leases: readonly { readonly lease: LeaseId; readonly ttlMs: number }[];
  readonly lastLease: LeaseId;
}

export interface LocalStoreOptions<E extends IndexEntry> {
  readonly engine: StoreStatus["engine"];
  readonly runtime: Runtime;
  readonly journal: Journal<E>;
  readonly initial: InitialState<E>;
  readonly compaction?: CompactionOptions | undefined;
  /** The disk has failed: reads and watches go on, nothing is written any more. */
  readonly onFailed?: ((error: StoreError) => void) | undefined;
}

/** What is common to the engines that keep order themselves. What differs is the journal. */
export class LocalStore<E extends IndexEntry> implements KeyValueStore {
  readonly leases: LeaseStore;
  readonly #engine: StoreStatus["engine"];
  readonly #journal: Journal<E>;
  /** What long reads need. */
  readonly #reading: { readonly journal: Journal<E>; readonly scheduler: Scheduler };
  readonly #queue: CommitQueue<E>;
  readonly #hub: WatchHub<E>;
  readonly #past: PastViews<E>;
  readonly #leaseTable: LeaseTable;
  readonly #compaction: AutomaticCompaction | undefined;
  /** Changed in place until somebody takes the state. */
  readonly #index: SortedMapEditor<E>;
  #reached: StoreReach;
  #readOnly: string | undefined;
  #closed: StoreError | undefined;
  #closing: Promise<void> | undefined;

  constructor({ engine, runtime, journal, initial, compaction, onFailed }: LocalStoreOptions<E>) {
    const { clock, scheduler } = runtime;
    this.#engine = engine;
    this.#journal = journal;
    this.#reading = { journal, scheduler };
    this.#index = initial.index.edit();
    this.#reached = { revision: initial.revision, compacted: initial.compacted };
    const state = (): StoreState<E> => this.#state();
    const reached = (): StoreReach => this.#reached;
    this.#hub = new WatchHub(journal, scheduler, reached);
    this.#past = new PastViews({ journal, scheduler, state, reached });
    this.#leaseTable = new LeaseTable(clock, (lease) => {
      // Nobody waits for it; if the store has failed or closed meanwhile, that is known already.
      this.#submit({ do: "end lease", lease, why: "expired" }).catch(() => undefined);
    });
    this.#leaseTable.restore(initial.lastLease, initial.leases);
    if (initial.leases.length > 0) for (const [key, entry] of initial.index) this.#leaseTable.tie(entry.lease, key);
    this.#queue = new CommitQueue(
      {
        gathers: journal.slow,
        plan: (requests) =>
          planBatch(
            requests,
            { index: this.#index, revision: this.#reached.revision, compacted: this.#reached.compacted },
            this.#leaseTable,
            journal,
          ),
        append: (batch) => journal.append(batch),
        publish: (batch) => this.#publish(batch),
        onFailed: (error) => {
          this.#readOnly = error.message;
          onFailed?.(error);
        },
      },
      scheduler,
    );
    this.leases = {
      grant: async (ttlMs) => (await this.#submit({ do: "grant", ttlMs })).lease!,
      keepAlive: async (lease) => {
        this.#checkOpen();
        return this.#leaseTable.keepAlive(lease);
      },
      revoke: async (lease) => (await this.#submit({ do: "end lease", lease, why: "revoked" })).revision,
    };
    journal.attach?.({ keys: () => this.#index.size, state, failed: (error) => this.#queue.fail(error) });
    if (compaction !== undefined)
      this.#compaction = compactAutomatically(compaction, clock, {
        state: reached,
        compact: (revision) => this.compact(revision),
      });
  }

  /** What is visible now; immutable. */
  protected get state(): InitialState<E> {
    return { ...this.#state(), leases: [...this.#leaseTable.entries()], lastLease: this.#leaseTable.last };
  }

  /** Of the newest write that is visible, also once the store is closed. */
  protected get reached(): number {
    return this.#reached.revision;
  }

  async get(key: string, options?: ReadOptions): Promise<KeyRecord | undefined> {
    this.#checkOpen();
    const entry = this.#index.get(key);
    if (options === undefined) return entry && readable(visibleRecord(this.#journal, key, entry));
    const { at = 0, signal } = options;
    signal?.throwIfAborted();
    if (at === 0 || at === this.#reached.revision) return entry && readable(visibleRecord(this.#journal, key, entry));
    this.#past.check(at);
    if (entry !== undefined && entry.revision <= at) return readable(visibleRecord(this.#journal, key, entry));
    let found: KeyRecord | undefined;
    for await (const change of this.#journal.versions(key, at, entry)) {
      found = change.entry && visibleRecord(this.#journal, key, change.entry);
      break;
    }
    // A compaction may have come meanwhile and taken what was being looked for; or the store was closed.
    this.#past.check(at);
    this.#checkOpen();
    return found && readable(found);
  }

  async range(query: RangeQuery, signal?: AbortSignal): Promise<RangeResult> {
    this.#checkOpen();
    signal?.throwIfAborted();
    const { at = 0 } = query;
    if (at === 0 || at === this.#reached.revision) return rangeOver(this.#reading, this.#state(), query, signal);
    const past = await this.#past.at(at);
    this.#past.check(at);
    return rangeOver(this.#reading, { index: past, revision: at }, query, signal);
  }

  put(write: PutWrite, signal?: AbortSignal): Promise<PutResult> {
    return this.#write(checkPut, write, { do: "put", write }, this.#putResult, signal);
  }

  delete(write: DeleteWrite, signal?: AbortSignal): Promise<DeleteResult> {
    const result = (outcome: Outcome<E>): DeleteResult => {
      if (outcome.kind !== "done") return this.#conflict(outcome);
      const previous = visibleRecord(this.#journal, write.key, outcome.previous!);
      return { kind: "deleted", revision: outcome.revision, previous };
    };
    return this.#write(checkExpected, write, { do: "delete", write }, result, signal);
  }

  transaction(writes: readonly Write[], signal?: AbortSignal): Promise<TransactionResult> {
    const result = (outcome: Outcome<E>): TransactionResult =>
      outcome.kind === "conflict"
        ? { ...this.#conflict(outcome), index: outcome.index }
        : { kind: "written", revision: doneOf(outcome).revision };
    return this.#write(checkWrites, writes, { do: "transaction", writes }, result, signal);
  }

  async watch(
    query: WatchQuery,
    onBatch: (events: readonly KeyEvent[], progress: number) => void,
    signal: AbortSignal,
  ): Promise<void> {
    this.#checkOpen();
    return this.#hub.watch(query, onBatch, signal);
  }

  async compact(revision: number): Promise<void> {
    await this.#submit({ do: "compact", revision });
  }

  readRevision(signal?: AbortSignal): number | Promise<number> {
    return this.#closed === undefined && signal?.aborted !== true ? this.#reached.revision : this.#refuseToRead(signal);
  }

  async #refuseToRead(signal: AbortSignal | undefined): Promise<never> {
    this.#checkOpen();
    throw signal?.reason;
  }

  async history(key: string, { limit = 0 }: { limit?: number } = {}): Promise<HistoryEntry[]> {
    this.#checkOpen();
    const found: HistoryEntry[] = [];
    for await (const { revision: at, entry, value, unreadable, note } of this.#journal.versions(
      key,
      this.#reached.revision,
      this.#index.get(key),
    )) {
      found.push({
        type: entry === undefined ? "delete" : "put",
        revision: at,
        value: unreadable ? undefined : value,
        ...(unreadable && { unreadable }),
        ...(note && { note }),
      });
      if (found.length === limit) break;
    }
    return found;
  }

  async snapshot(signal?: AbortSignal): Promise<StoreSnapshot> {
    this.#checkOpen();
    signal?.throwIfAborted();
    return snapshotOver(this.#reading, this.#state(), [...this.#leaseTable.entries()]);
  }

  async status(): Promise<StoreStatus> {
    this.#checkOpen();
    const { revision, compacted } = this.#reached;
    const status = {
      engine: this.#engine,
      revision,
      compactedRevision: compacted,
      keys: this.#index.size,
      sizeBytes: this.#journal.sizeBytes(),
    };
    const full = await this.#journal.fullness?.();
    return {
      ...status,
      ...(this.#readOnly !== undefined && { readOnly: this.#readOnly }),
      ...(full !== undefined && { full }),
    };
  }

  close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    this.#closed = new StoreError("closed", "the store is closed");
    this.#compaction?.stop();
    this.#leaseTable.stop();
    await this.#queue.drain(this.#closed);
    this.#hub.endAll();
    await this.#journal.close();
  }

  #state(): StoreState<E> {
    return { index: this.#index.done(), revision: this.#reached.revision, compacted: this.#reached.compacted };
  }

  #publish(batch: Batch<E>): void {
    for (const { key, entry } of batch.changes) {
      if (entry === undefined) this.#index.delete(key);
      else this.#index.set(key, entry);
    }
    this.#leaseTable.apply(batch.changes, batch.leases);
    this.#reached = { revision: batch.revision, compacted: batch.compacted ?? this.#reached.compacted };
    if (batch.compacted !== undefined) this.#past.forgetBefore(batch.compacted);
    this.#hub.publish(batch.changes, batch.revision);
    this.#compaction?.written(batch);
    this.#journal.settle?.();
  }

  readonly #putResult = (outcome: Outcome<E>): PutResult =>
    outcome.kind === "done" ? { kind: "written", revision: outcome.revision } : this.#conflict(outcome);

  /** Rejects rather than throws, without being a function that awaits: every await costs each write a promise job. */
  #write<W, T>(
    check: (write: W) => void,
    write: W,
    request: Request,
    answer: (outcome: Outcome<E>) => T,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    try {
      this.#checkOpen();
      check(write);
    } catch (err) {
      return Promise.reject(err);
    }
    return this.#queue.submit(request, answer, signal);
  }

  #submit(request: Request): Promise<Extract<Outcome<E>, { kind: "done" }>> {
    return this.#closed ? Promise.reject(this.#closed) : this.#queue.submit(request, doneOf);
  }

  #conflict(outcome: Exclude<Outcome<E>, { kind: "done" }>): { kind: "conflict"; current: KeyRecord | undefined } {
    if (outcome.kind === "refused") throw outcome.error;
    const { key, entry } = outcome;
    // The record it conflicted with may have been replaced and compacted since; then the newest one is returned.
    const seen = entry && this.#journal.record(key, entry);
    if (entry === undefined || seen !== undefined) return { kind: "conflict", current: seen };
    const newest = this.#index.get(key);
    return { kind: "conflict", current: newest && visibleRecord(this.#journal, key, newest) };
  }

  #checkOpen(): void {
    if (this.#closed) throw this.#closed;
  }
}

/** What is asked for alone is read or refused. */
function readable(record: KeyRecord): KeyRecord {
  if (record.unreadable) throw unreadableValueError(record.unreadable);
  return record;
}

function doneOf<E extends IndexEntry>(outcome: Outcome<E>): Extract<Outcome<E>, { kind: "done" }> {
  if (outcome.kind === "refused") throw outcome.error;
  if (outcome.kind === "conflict") throw new Error("only writes can conflict");
  return outcome;
}

export const emptyState = <E extends IndexEntry>(revision = 1): InitialState<E> => ({
  index: SortedMap.empty<E>(),
  revision,
  compacted: 0,
  leases: [],
  lastLease: 0,
});
