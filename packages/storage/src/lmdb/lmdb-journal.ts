import type { Clock, Timer } from "@coxswain/apimachinery/clock";
import type { DefragmentResult, KeyRecord } from "../key-value-store.js";
import type { Batch, Change, Journal, JournalOwner, Pin, Placement } from "../local/index.js";
import { isStoreError, StoreError } from "../store-error.js";
import type { Chore } from "./chore.js";
import { CompactedCopy } from "./compacted-copy.js";
import type { DiskReserve } from "./disk-reserve.js";
import { DiskTrouble } from "./disk-trouble.js";
import type { Environment, StoreMeta } from "./environment.js";
import type { IndexCheckpoint } from "./index-checkpoint.js";
import { LogEntry } from "./log-record.js";
import type { Moment } from "./moment.js";
import { LogPin, RevisionLog } from "./revision-log.js";
import { Scrub } from "./scrub.js";
import { PendingBatches, type PendingBatch } from "./wal/pending-batches.js";
import type { WalFile } from "./wal/wal-file.js";
import { writeBatch } from "./wal/write-batch.js";

/** Everything that becomes durable passes through here; tests put a failing or lying disk in its place. */
export type CommitSeam = (commit: () => Promise<void>, where: "log" | "file") => Promise<void>;

export interface LmdbJournalOptions {
  readonly env: Environment;
  readonly wal: WalFile;
  readonly clock: Clock;
  readonly file: string;
  readonly meta: StoreMeta;
  readonly revision: number;
  readonly checkpoint: IndexCheckpoint;
  /** Changes in the log that the checkpoint does not have yet. */
  readonly behind: number;
  readonly reserve: DiskReserve;
  /** So many changes are read from the log at the next opening, at most, or a quarter of the keys if that is more. */
  readonly changesPerCheckpoint: number;
  readonly seam: CommitSeam;
  readonly moment: ((at: Moment) => void) | undefined;
  readonly sizeBytes: () => number;
  readonly log: (message: string) => void;
}

/** So many changes may be left to copy when the end of a defragmentation begins. */
const fewChanges = 1000;
/** What waits in the write-ahead log goes into the file when it is this much, or this old. */
const flushBytes = 512 * 1024;
const flushAfterMs = 2000;
/** One transaction takes about so much: composing it holds up everything else. */
const bytesPerCommit = 128 * 1024;
/** A larger batch pays for a transaction of its own. */
const largestRecord = 1024 * 1024;
/** What the file may need for what waits: a change can take twice its size there, and then there are the pages on the way to it. */
const fileBytesFor = (pendingBytes: number): number => 2 * pendingBytes + 512 * 1024;

/**
 * The log and the index in one file, and a write-ahead log before it. A batch is durable once the write-ahead log has it, and
 * goes into the file later, with others; until then it is read from memory. What the write-ahead log does not take, because it
 * is too large, because it is full or not there, or because the file may have no room for it later, is one transaction of the
 * file, together with all that waits.
 */
export class LmdbJournal implements Journal<LogEntry> {
  readonly slow = true;
  readonly #options: LmdbJournalOptions;
  readonly #log: RevisionLog;
  readonly #pending = new PendingBatches();
  /** In this order: scrubbing waits for the checkpoint. */
  readonly #chores: readonly Chore[];
  #owner: JournalOwner<LogEntry> | undefined;
  readonly #pins = new Set<LogPin>();
  /** As it stands in the file; what waits may have changed some of it. */
  #meta: StoreMeta;
  #compacted: number;
  #behind: number;
  /** A transaction of the file. */
  #committing: Promise<void> | undefined;
  #flushing: Promise<void> | undefined;
  #flushTimer: Timer | undefined;
  #choresScheduled = false;
  #choresPaused = false;
  #defragmenting: Promise<DefragmentResult> | undefined;
  /** A defragmentation copies the file: its copy follows the log, and not what chores change. */
  #copying = false;
  readonly #trouble: DiskTrouble;
  #closed = false;

  constructor(options: LmdbJournalOptions) {
    this.#options = options;
    this.#trouble = new DiskTrouble(options.reserve, options.log);
    this.#log = new RevisionLog(options.env, () => this.#pending.changes);
    this.#chores = [options.checkpoint, new Scrub(options.env)];
    this.#meta = { ...options.meta, revision: options.revision };
    this.#compacted = options.meta.compacted;
    this.#behind = options.behind;
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
    if (grows && this.#trouble.full) await this.#trouble.leaveFull();
    this.#trouble.refuseIfFailed();
    const pending = this.#pending.add(batch);
    try {
      if (this.#walTakes(pending)) await this.#appendToWal(pending);
      else await this.#flushUpTo(pending);
    } catch (err) {
      this.#pending.dropNewest(pending);
      throw await this.#trouble.note(err, `writing revision ${batch.revision}`);
    }
    this.#behind += batch.changes.length;
    this.#compacted = batch.compacted ?? this.#compacted;
    void this.#options.wal.make();
    this.#arrangeFlush();
  }

  record(key: string, entry: LogEntry, pin?: Pin): KeyRecord | undefined {
    // Whoever asks an old event for what stood there before is no longer owed an answer.
    if (this.#closed && pin === undefined) return undefined;
    return this.#log.record(key, entry, pin as LogPin | undefined);
  }

  changes(after: number, upTo: number): Iterable<Change<LogEntry>> {
    return this.#log.changes(after, upTo);
  }

  versions(key: string, upTo: number, newest: LogEntry | undefined): AsyncIterable<Change<LogEntry>> {
    return this.#log.versions(key, { upTo, compacted: this.#compacted, newest });
  }

  pin(): LogPin {
    const pin = new LogPin(this.#options.env, this.#pending.changes, () => this.#pins.delete(pin));
    this.#pins.add(pin);
    return pin;
  }

  sizeBytes(): number {
    return this.#options.sizeBytes();
  }

  /** Chores go with the next commit, or by themselves when nobody writes. */
  settle(): void {
    const owner = this.#owner;
    if (owner === undefined || this.#closed || this.#trouble.failed) return;
    const { checkpoint, changesPerCheckpoint } = this.#options;
    const late = this.#behind >= Math.max(changesPerCheckpoint, owner.keys() / 4);
    if ((late || this.#meta.checkpoint < this.#meta.compacted) && !checkpoint.running) {
      checkpoint.begin(owner.state());
      this.#behind = 0;
    }
    if (this.#choresScheduled || this.#choreDue() === undefined) return;
    this.#choresScheduled = true;
    setImmediate(() => void this.#doChores());
  }

  /** Writes the file anew without its free pages. Reads and writes go on; for the last of it only what the write-ahead log takes. */
  defragment(): Promise<DefragmentResult> {
    if (this.#closed) return Promise.reject(new StoreError("closed", "the store is closed"));
    if (this.#defragmenting)
      return Promise.reject(new StoreError("unavailable", "the store is being defragmented already"));
    this.#defragmenting = this.#defragment().finally(() => {
      this.#defragmenting = undefined;
      this.#copying = false;
      this.settle();
    });
    return this.#defragmenting;
  }

  async close(): Promise<void> {
    this.#closed = true;
    // The file cannot be closed under a reader; those that come back find the store closed.
    for (const pin of this.#pins) pin.release();
    await this.#defragmenting?.catch(() => undefined);
    this.#stopFlushTimer();
    await this.#flushing;
    const { newest } = this.#pending;
    // What cannot be brought into the file is found in the write-ahead log at the next opening.
    if (newest !== undefined) await this.#flushUpTo(newest).catch(() => undefined);
    await this.#committing?.catch(() => undefined);
    await this.#options.wal.close();
    await this.#options.env.close();
  }

  #walTakes({ record, length, compacted }: PendingBatch): boolean {
    const { wal, reserve } = this.#options;
    // What is not of this epoch would not be looked for at the next opening.
    if (this.#meta.wal?.epoch !== wal.epoch || this.#trouble.full) return false;
    // Those are rare, and chores wait for them.
    if (compacted !== undefined) return false;
    // What is acknowledged now must not meet a full disk later.
    return (
      length <= largestRecord && wal.fits(record.bytes.length) && reserve.covers(fileBytesFor(this.#pending.bytes))
    );
  }

  #appendToWal(pending: PendingBatch): Promise<void> {
    const { wal, seam } = this.#options;
    return seam(async () => void (pending.next = await wal.append(pending.record.bytes, pending.length)), "log");
  }

  /** Sees to it that what waits is in the file before long. */
  #arrangeFlush(): void {
    const { wal, clock } = this.#options;
    if (this.#pending.newestLogged === undefined) return this.#stopFlushTimer();
    if (this.#flushing || this.#closed || this.#trouble.failed) return;
    const much = this.#pending.bytes >= flushBytes || wal.used > wal.size / 2;
    // On a full disk it is tried again from time to time, and with every delete.
    if (much && !this.#trouble.full) void this.#flush();
    else this.#flushTimer ??= clock.setTimer(flushAfterMs, () => void this.#flush());
  }

  #stopFlushTimer(): void {
    this.#flushTimer?.cancel();
    this.#flushTimer = undefined;
  }

  /** Brings into the file what is pending now. Never rejects: what could not be brought there is still in the write-ahead log. */
  #flush(): Promise<void> {
    this.#flushing ??= this.#flushNow().finally(() => {
      this.#flushing = undefined;
      this.#arrangeFlush();
      this.settle();
    });
    return this.#flushing;
  }

  async #flushNow(): Promise<void> {
    this.#stopFlushTimer();
    // What is not in the write-ahead log is its writer's business.
    const last = this.#pending.newestLogged;
    if (last !== undefined) await this.#flushUpTo(last).catch((err: unknown) => this.#tellOwner(err));
  }

  async #flushUpTo(last: PendingBatch): Promise<void> {
    while (this.#pending.has(last)) await this.#commit(last);
  }

  #choreDue(reached = this.#meta.revision): Chore | undefined {
    return this.#choresPaused || this.#copying || this.#closed
      ? undefined
      : this.#chores.find((chore) => chore.due(this.#meta, reached));
  }

  /** What compaction has made superfluous would only be copied. */
  async #finishChores(): Promise<void> {
    await this.#flush();
    this.settle();
    while (!this.#trouble.failed && this.#choreDue() !== undefined) await this.#commit(undefined);
  }

  async #defragment(): Promise<DefragmentResult> {
    const { env, file, sizeBytes } = this.#options;
    const beforeBytes = sizeBytes();
    let copy: CompactedCopy | undefined;
    try {
      await this.#finishChores();
      this.#copying = true;
      // A step of the chores may be on its way to the disk.
      while (this.#committing) await this.#committing.catch(() => undefined);
      copy = await CompactedCopy.of(env, file);
      while (!this.#closed && (await copy.catchUp()) > fewChanges);
      await this.#alone(async () => {
        await copy!.complete();
        await copy!.takePlace();
        const placed = copy!;
        copy = undefined;
        await placed.settle().catch((err: unknown) => this.#lost(err));
      });
    } catch (err) {
      await copy?.discard();
      const error = await this.#trouble.errorOf(err, "defragmenting");
      throw error.reason === "full"
        ? new StoreError(
            "full",
            "there is no room for a second copy of the store: nothing was changed. Free some space and try again",
            { cause: err },
          )
        : err;
    }
    return { beforeBytes, afterBytes: sizeBytes() };
  }

  /** The directory did not take the file's new name for good: after a power cut the old one may be back, without what comes now. */
  async #lost(err: unknown): Promise<never> {
    const message = err instanceof Error ? err.message : String(err);
    const error = new StoreError(
      "outcome-unknown",
      `the defragmented file could not be put in place for good (${message}): the store writes no more. Check the disk, then restart`,
      { cause: err },
    );
    this.#tellOwner(await this.#trouble.note(error, "defragmenting"));
    throw error;
  }

  /** While the file is not written to; the write-ahead log is. Rejects when the store has failed or closed meanwhile. */
  async #alone(work: () => Promise<void>): Promise<void> {
    while (this.#committing) await this.#committing.catch(() => undefined);
    this.#trouble.refuseIfFailed();
    if (this.#closed)
      throw new StoreError("closed", "the store was closed before it was defragmented; nothing was changed");
    const working = work();
    this.#committing = working;
    try {
      await working;
    } finally {
      this.#committing = undefined;
    }
  }

  async #doChores(): Promise<void> {
    this.#choresScheduled = false;
    if (this.#committing || this.#closed || this.#trouble.failed) return;
    try {
      await this.#commit(undefined);
    } catch (err) {
      return this.#tellOwner(err);
    }
    this.settle();
  }

  /** One at a time: the oldest of what waits, none behind `upTo`, and a step of the chores. */
  async #commit(upTo: PendingBatch | undefined): Promise<void> {
    while (this.#committing) await this.#committing.catch(() => undefined);
    this.#trouble.refuseIfFailed();
    // Another commit may have taken it along.
    if (upTo !== undefined && !this.#pending.has(upTo)) return;
    this.#committing = this.#commitNow(upTo === undefined ? [] : this.#pending.oldest(upTo, bytesPerCommit));
    try {
      await this.#committing;
    } catch (err) {
      const error = await this.#trouble.note(err, "writing the file");
      // They would only need room, too; they go on with the next commit that succeeds.
      if (error.reason === "full") this.#choresPaused = true;
      throw error;
    } finally {
      this.#committing = undefined;
    }
  }

  async #commitNow(batches: readonly PendingBatch[]): Promise<void> {
    const { env, seam, wal, moment } = this.#options;
    let done: (() => void) | undefined;
    let meta = this.#meta;
    const commit = (): Promise<void> =>
      env.commit((writer) => {
        meta = this.#meta;
        const step = this.#choreDue(batches.at(-1)?.revision)?.step(writer, meta);
        for (const batch of batches) meta = writeBatch(writer, meta, batch);
        if (step !== undefined) {
          meta = { ...meta, ...step.changes };
          done = () => step.done();
        }
        // From here on the write-ahead log is in use, if it has been made by now.
        if (wal.ready && meta.wal?.epoch !== wal.epoch) meta = { ...meta, wal: wal.first };
        else meta = { ...meta, wal: batches.findLast(({ next }) => next !== undefined)?.next ?? meta.wal };
        writer.putMeta(meta);
      });
    await seam(commit, "file");
    moment?.("file written");
    this.#meta = meta;
    this.#choresPaused = false;
    this.#pending.dropOldest(batches, { reuse: this.#pins.size === 0 });
    if (meta.wal?.epoch === wal.epoch) wal.release(meta.wal);
    moment?.("log released");
    done?.();
  }

  /** For what failed outside of an append. That the disk is full is heard by the next writer. */
  #tellOwner(err: unknown): void {
    if (!isStoreError(err)) throw err;
    if (this.#trouble.failed) this.#owner?.failed(this.#trouble.failed);
  }
}
