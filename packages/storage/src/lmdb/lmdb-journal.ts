import type { Runtime } from "@coxswain/runtime";
import type { DefragmentResult, KeyRecord } from "../contract/key-value-store.js";
import { isStoreError, StoreError } from "../contract/store-error.js";
import type { Batch, Change, Journal, JournalOwner, Pin, Placement } from "../local/index.js";
import type { CommitSeam } from "./commit-seam.js";
import type { DiskReserve } from "./disk-reserve.js";
import { DiskState } from "./disk-state.js";
import type { Environment } from "./environment.js";
import { FileCommits } from "./file-commits.js";
import type { IndexCheckpoint } from "./index-checkpoint.js";
import { LogEntry } from "./log-record.js";
import { Maintenance } from "./maintenance.js";
import type { Moment } from "./moment.js";
import { defragmentOnline } from "./online-defragmentation.js";
import { LogPin, RevisionLog } from "./revision-log.js";
import { Scrub } from "./scrub.js";
import type { StoreMeta } from "./store-meta.js";
import type { WalFile } from "./wal/wal-file.js";
import { WriteAhead } from "./write-ahead.js";

export interface LmdbJournalOptions {
  readonly env: Environment;
  readonly wal: WalFile;
  readonly runtime: Runtime;
  readonly file: string;
  readonly meta: StoreMeta;
  readonly revision: number;
  readonly checkpoint: IndexCheckpoint;
  /** Changes in the log that the checkpoint does not have yet. */
  readonly behind: number;
  readonly reserve: DiskReserve;
  /** See `MaintenanceOptions`. */
  readonly changesPerCheckpoint: number;
  readonly seam: CommitSeam;
  readonly moment: ((at: Moment) => void) | undefined;
  readonly sizeBytes: () => number;
}

/**
 * The journal of the embedded store: log and index in one LMDB file (`file-commits.ts`), with a write-ahead log in front of it
 * (`write-ahead.ts`). A batch is durable once it is in the write-ahead log, and read from memory until it is in the file.
 */
export class LmdbJournal implements Journal<LogEntry> {
  readonly slow = true;
  readonly #options: LmdbJournalOptions;
  readonly #disk: DiskState;
  readonly #maintenance: Maintenance;
  readonly #commits: FileCommits;
  readonly #writeAhead: WriteAhead;
  readonly #log: RevisionLog;
  readonly #pins = new Set<LogPin>();
  #owner: JournalOwner<LogEntry> | undefined;
  #compacted: number;
  #isMaintenanceScheduled = false;
  #defragmenting: Promise<DefragmentResult> | undefined;

  constructor(options: LmdbJournalOptions) {
    const { env, wal, runtime, meta, revision, reserve, seam, moment } = options;
    this.#options = options;
    this.#disk = new DiskState(reserve, runtime.log);
    this.#maintenance = new Maintenance({ ...options, scrub: new Scrub(env) });
    this.#commits = new FileCommits({
      env,
      wal,
      disk: this.#disk,
      maintenance: this.#maintenance,
      meta: { ...meta, revision },
      seam,
      moment,
      hasReaders: () => this.#pins.size > 0,
    });
    this.#writeAhead = new WriteAhead({
      wal,
      clock: runtime.clock,
      reserve,
      disk: this.#disk,
      commits: this.#commits,
      seam,
      onError: this.#onError,
      onFlushed: () => this.settle(),
    });
    this.#log = new RevisionLog(
      env,
      () => this.#commits.pending.changes,
      () => this.#compacted,
    );
    this.#compacted = meta.compacted;
  }

  attach(owner: JournalOwner<LogEntry>): void {
    this.#owner = owner;
    this.settle();
  }

  entryFor({ revision, sub, createRevision, version, lease }: Placement): LogEntry {
    return new LogEntry(revision, sub, createRevision, version, lease);
  }

  async append(batch: Batch<LogEntry>): Promise<void> {
    const grows =
      batch.changes.some(({ entry }) => entry !== undefined) || batch.leases.some((change) => change.do === "grant");
    if (grows && this.#disk.full) await this.#disk.leaveFull();
    this.#disk.refuseIfFailed();
    const { pending } = this.#commits;
    const added = pending.add(batch);
    try {
      await this.#writeAhead.append(added);
    } catch (err) {
      pending.dropNewest(added);
      throw await this.#disk.noteError(err, `writing revision ${batch.revision}`);
    }
    this.#maintenance.noteChanges(batch.changes.length);
    this.#compacted = batch.compacted ?? this.#compacted;
    void this.#options.wal.make();
    this.#writeAhead.schedule();
  }

  record(key: string, entry: LogEntry, pin?: Pin): KeyRecord | undefined {
    // An event delivered before the store was closed may still be asked for the previous record.
    if (this.#commits.isClosed && pin === undefined) return undefined;
    return this.#log.record(key, entry, pin as LogPin | undefined);
  }

  changes(after: number, upTo: number): Iterable<Change<LogEntry>> {
    return this.#log.changes(after, upTo);
  }

  versions(key: string, upTo: number, newest: LogEntry | undefined): AsyncIterable<Change<LogEntry>> {
    return this.#log.versions(key, {
      upTo,
      compacted: this.#compacted,
      newest,
      scheduler: this.#options.runtime.scheduler,
    });
  }

  pin(): LogPin {
    const pin = new LogPin(this.#options.env, this.#commits.pending.changes, () => this.#pins.delete(pin));
    this.#pins.add(pin);
    return pin;
  }

  /** Looks whether there is room again. */
  async fullness(): Promise<string | undefined> {
    if (!this.#disk.full || this.#disk.failed) return undefined;
    return this.#disk.leaveFull().then(
      () => undefined,
      (error: Error) => error.message,
    );
  }

  sizeBytes(): number {
    return this.#options.sizeBytes();
  }

  /** Maintenance goes with the next commit, or is a commit of its own when nobody writes. */
  settle(): void {
    if (this.#owner === undefined || this.#commits.isClosed || this.#disk.failed) return;
    this.#maintenance.plan(this.#commits.meta, this.#owner);
    if (this.#isMaintenanceScheduled || this.#maintenance.due(this.#commits.meta) === undefined) return;
    this.#isMaintenanceScheduled = true;
    void this.#options.runtime.scheduler.nextIteration().then(() => this.#maintain());
  }

  defragment(): Promise<DefragmentResult> {
    if (this.#commits.isClosed) return Promise.reject(new StoreError("closed", "the store is closed"));
    if (this.#defragmenting)
      return Promise.reject(new StoreError("unavailable", "the store is being defragmented already"));
    this.#defragmenting = defragmentOnline({
      ...this.#options,
      commits: this.#commits,
      maintenance: this.#maintenance,
      disk: this.#disk,
      finishMaintenance: () => this.#finishMaintenance(),
      onError: this.#onError,
    }).finally(() => {
      this.#defragmenting = undefined;
      this.#maintenance.isSuspended = false;
      this.settle();
    });
    return this.#defragmenting;
  }

  async close(): Promise<void> {
    this.#commits.isClosed = true;
    this.#maintenance.isStopped = true;
    // The file cannot be closed under a reader; later reads find the store closed.
    for (const pin of this.#pins) pin.release();
    await this.#defragmenting?.catch(() => undefined);
    await this.#writeAhead.stop();
    const { newest } = this.#commits.pending;
    // What cannot be flushed is replayed from the write-ahead log at the next opening.
    if (newest !== undefined) await this.#commits.commitUpTo(newest).catch(() => undefined);
    await this.#commits.idle();
    // Without it a later start only does not know whether a log that is missing held anything.
    await this.#commits.settleLog().catch(() => undefined);
    await this.#options.wal.close();
    await this.#options.env.close();
  }

  async #maintain(): Promise<void> {
    this.#isMaintenanceScheduled = false;
    if (this.#commits.isRunning || this.#commits.isClosed || this.#disk.failed) return;
    try {
      await this.#commits.commitMaintenance();
    } catch (err) {
      return this.#onError(err);
    }
    this.settle();
  }

  async #finishMaintenance(): Promise<void> {
    await this.#writeAhead.flush();
    this.settle();
    while (!this.#disk.failed && this.#maintenance.due(this.#commits.meta) !== undefined)
      await this.#commits.commitMaintenance();
  }

  /** For errors outside of an append. A full disk is reported to the next writer. */
  readonly #onError = (err: unknown): void => {
    if (!isStoreError(err)) throw err;
    if (this.#disk.failed) this.#owner?.failed(this.#disk.failed);
  };
}
