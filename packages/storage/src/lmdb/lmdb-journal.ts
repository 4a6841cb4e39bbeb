import type { DefragmentResult, KeyRecord } from "../key-value-store.js";
import type { Batch, Change, Journal, JournalOwner, Pin, Placement } from "../local/index.js";
import { hasStoreReason, StoreError } from "../store-error.js";
import type { Chore } from "./chore.js";
import { storeErrorOf } from "./commit-error.js";
import { CompactedCopy } from "./compacted-copy.js";
import type { DiskReserve } from "./disk-reserve.js";
import type { Environment, StoreMeta, Writer } from "./environment.js";
import type { FileRoom } from "./file-room.js";
import type { IndexCheckpoint } from "./index-checkpoint.js";
import { LogEntry } from "./log-record.js";
import { LogPin, RevisionLog } from "./revision-log.js";
import { Scrub } from "./scrub.js";

/** Everything that becomes durable passes through here; tests put a failing or lying disk in its place. */
export type CommitSeam = (commit: () => Promise<void>) => Promise<void>;

export interface LmdbJournalOptions {
  readonly env: Environment;
  readonly file: string;
  readonly meta: StoreMeta;
  readonly revision: number;
  readonly checkpoint: IndexCheckpoint;
  /** Changes in the log that the checkpoint does not have yet. */
  readonly behind: number;
  readonly reserve: DiskReserve;
  readonly room: FileRoom;
  /** So many changes are read from the log at the next opening, at most, or a quarter of the keys if that is more. */
  readonly changesPerCheckpoint: number;
  readonly seam: CommitSeam;
  readonly sizeBytes: () => number;
  readonly log: (message: string) => void;
}

const smallBatch = 32;
/** So many changes may be left to copy when writers are made to wait for the end of a defragmentation. */
const fewChanges = 1000;

/** The log and the index in one file. Each batch is one transaction of it, synced before anyone hears of it. */
export class LmdbJournal implements Journal<LogEntry> {
  readonly slow = true;
  readonly #options: LmdbJournalOptions;
  readonly #log: RevisionLog;
  /** In this order: scrubbing waits for the checkpoint. */
  readonly #chores: readonly Chore[];
  #owner: JournalOwner<LogEntry> | undefined;
  readonly #pins = new Set<LogPin>();
  #meta: StoreMeta;
  #revision: number;
  #behind: number;
  #committing: Promise<void> | undefined;
  #choresScheduled = false;
  #choresPaused = false;
  #defragmenting: Promise<DefragmentResult> | undefined;
  /** A defragmentation copies the file: its copy follows the log, and not what chores change. */
  #copying = false;
  #full = false;
  #failed: StoreError | undefined;
  #closed = false;

  constructor(options: LmdbJournalOptions) {
    this.#options = options;
    this.#log = new RevisionLog(options.env);
    this.#chores = [options.checkpoint, new Scrub(options.env)];
    this.#meta = options.meta;
    this.#revision = options.revision;
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
    const grows = batch.changes.some(({ entry }) => entry !== undefined) || batch.leases.some((change) => change.do === "grant");
    if (this.#full && grows) await this.#leaveFull();
    await this.#commit((writer) => this.#write(writer, batch), `writing revision ${batch.revision}`);
    this.#behind += batch.changes.length;
    this.#choresPaused = false;
    // A large batch pays for its sync by itself, and many of them would only outrun it.
    if (batch.changes.length <= smallBatch) this.#options.room.look();
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
    return this.#log.versions(key, { upTo, compacted: this.#meta.compacted, newest });
  }

  pin(): LogPin {
    const pin = new LogPin(this.#options.env, () => this.#pins.delete(pin));
    this.#pins.add(pin);
    return pin;
  }

  sizeBytes(): number {
    return this.#options.sizeBytes();
  }

  /** Chores go with the next commit, or by themselves when nobody writes. */
  settle(): void {
    const state = this.#owner?.state();
    if (state === undefined || this.#closed || this.#failed) return;
    const { checkpoint, changesPerCheckpoint } = this.#options;
    const late = this.#behind >= Math.max(changesPerCheckpoint, state.index.size / 4);
    if ((late || this.#meta.checkpoint < this.#meta.compacted) && !checkpoint.due()) {
      checkpoint.begin(state);
      this.#behind = 0;
    }
    if (this.#choresRest() || this.#choresScheduled || !this.#chores.some((chore) => chore.due(this.#meta))) return;
    this.#choresScheduled = true;
    setImmediate(() => void this.#doChores());
  }

  /** Writes the file anew without its free pages. Reads and writes go on; writers wait for the last of it only. */
  defragment(): Promise<DefragmentResult> {
    if (this.#closed) return Promise.reject(new StoreError("closed", "the store is closed"));
    if (this.#defragmenting) return Promise.reject(new StoreError("unavailable", "the store is being defragmented already"));
    this.#defragmenting = this.#defragment().finally(() => {
      this.#defragmenting = undefined;
      this.#copying = false;
      this.settle();
    });
    return this.#defragmenting;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#defragmenting?.catch(() => undefined);
    await this.#committing?.catch(() => undefined);
    await this.#options.room.stop();
    // The file cannot be closed under a reader; those that come back find the store closed.
    for (const pin of this.#pins) pin.release();
    await this.#options.env.close();
  }

  #write(writer: Writer, { revision, changes, leases, compacted }: Batch<LogEntry>): StoreMeta {
    let meta = this.#meta;
    let sub = 0;
    let last = 0;
    for (const change of changes) {
      sub = change.revision === last ? sub + 1 : 0;
      last = change.revision;
      writer.appendChange({ revision: last, sub }, change);
    }
    for (const change of leases) {
      if (change.do === "end") {
        writer.removeLease(change.lease);
      } else {
        writer.putLease(change.lease, change.ttlMs);
        meta = { ...meta, lastLease: Math.max(meta.lastLease, change.lease) };
      }
    }
    if (compacted !== undefined) meta = { ...meta, compacted };
    this.#revision = revision;
    return meta;
  }

  #choresRest(): boolean {
    return this.#choresPaused || this.#copying;
  }

  /** What compaction has made superfluous would only be copied. */
  async #finishChores(): Promise<void> {
    this.settle();
    while (!this.#closed && !this.#choresRest() && this.#chores.some((chore) => chore.due(this.#meta))) await this.#commit(() => this.#meta, "tidying up");
  }

  async #defragment(): Promise<DefragmentResult> {
    const { env, file, room, reserve, sizeBytes } = this.#options;
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
        await room.whileStopped(() => copy!.takePlace());
        const placed = copy!;
        copy = undefined;
        await placed.settle().catch((err: unknown) => this.#lost(err));
      });
    } catch (err) {
      await copy?.discard();
      const error = await storeErrorOf(err, "defragmenting", () => reserve.isDiskFull());
      throw error.reason === "full" ? new StoreError("full", "there is no room for a second copy of the store: nothing was changed. Free some space and try again", { cause: err }) : err;
    }
    return { beforeBytes, afterBytes: sizeBytes() };
  }

  /** The directory did not take the file's new name for good: after a power cut the old one may be back, without what comes now. */
  #lost(err: unknown): never {
    const message = err instanceof Error ? err.message : String(err);
    const error = new StoreError("outcome-unknown", `the defragmented file could not be put in place for good (${message}): the store writes no more. Check the disk, then restart`, { cause: err });
    this.#failed = error;
    this.#options.log(error.message);
    this.#owner?.failed(error);
    throw error;
  }

  /** While nothing is committed. Rejects when the store has failed or closed meanwhile. */
  async #alone(work: () => Promise<void>): Promise<void> {
    while (this.#committing) await this.#committing.catch(() => undefined);
    if (this.#failed) throw new StoreError("read-only", this.#failed.message, { cause: this.#failed });
    if (this.#closed) throw new StoreError("closed", "the store was closed before it was defragmented; nothing was changed");
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
    if (this.#committing || this.#closed || this.#failed || this.#owner === undefined) return;
    try {
      await this.#commit(() => this.#meta, "tidying up");
    } catch (err) {
      // A full disk: they go on with the next write that succeeds. Any other failure has been told to the owner.
      if (this.#failed) this.#owner.failed(this.#failed);
      else if (!hasStoreReason(err, "full")) throw err;
      return;
    }
    this.settle();
  }

  /** One commit at a time; a step of the chores goes with it. */
  async #commit(write: (writer: Writer) => StoreMeta, what: string): Promise<void> {
    while (this.#committing) await this.#committing.catch(() => undefined);
    if (this.#failed) throw new StoreError("read-only", this.#failed.message, { cause: this.#failed });
    const revision = this.#revision;
    const committing = this.#commitNow(write);
    this.#committing = committing;
    try {
      await committing;
    } catch (err) {
      this.#revision = revision;
      throw this.#refused(await storeErrorOf(err, what, () => this.#options.reserve.isDiskFull()));
    } finally {
      this.#committing = undefined;
    }
  }

  async #commitNow(write: (writer: Writer) => StoreMeta): Promise<void> {
    const { env, seam } = this.#options;
    let done: (() => void) | undefined;
    let meta = this.#meta;
    const commit = (): Promise<void> =>
      env.commit((writer) => {
        meta = write(writer);
        const step = this.#choresRest() ? undefined : this.#chores.find((chore) => chore.due(this.#meta))?.step(writer, this.#meta);
        if (step !== undefined) {
          meta = { ...meta, ...step.changes };
          done = () => step.done();
        }
        if (meta === this.#meta) return;
        meta = { ...meta, revision: this.#revision };
        writer.putMeta(meta);
      });
    await seam(commit);
    this.#meta = meta;
    done?.();
  }

  #refused(error: StoreError): StoreError {
    if (error.reason === "full") {
      if (!this.#full) this.#options.log(error.message);
      this.#full = true;
      this.#choresPaused = true;
      this.#options.reserve.release();
    } else {
      this.#failed = error;
      this.#options.log(error.message);
    }
    return error;
  }

  async #leaveFull(): Promise<void> {
    if (!(await this.#options.reserve.acquire())) throw new StoreError("full", "the disk is still full. Nothing was written; deletes still work. Free some space and try again");
    this.#full = false;
    this.#options.log("there is room on the disk again; writing goes on");
  }
}
