import { StoreError } from "../contract/store-error.js";
import type { CommitSeam } from "./commit-seam.js";
import { lengthOf, roomFor } from "./disk-room.js";
import type { DiskState } from "./disk-state.js";
import type { Environment } from "./environment.js";
import type { Maintenance } from "./maintenance.js";
import type { Moment } from "./moment.js";
import type { StoreMeta } from "./store-meta.js";
import { type PendingBatch, PendingBatches } from "./wal/pending-batches.js";
import type { WalFile } from "./wal/wal-file.js";
import { writeBatch } from "./wal/write-batch.js";

/** A transaction takes about so much: composing it is synchronous, 0.6 ms for this. */
const bytesPerCommit = 128 * 1024;

export interface FileCommitsOptions {
  readonly env: Environment;
  readonly wal: WalFile;
  readonly disk: DiskState;
  readonly maintenance: Maintenance;
  readonly meta: StoreMeta;
  readonly seam: CommitSeam;
  readonly moment: ((at: Moment) => void) | undefined;
  /** Whether somebody may still read the memory of batches that are in the file. */
  readonly hasReaders: () => boolean;
}

/** From where the write-ahead log counts once these batches are in the file. It comes into use when its file is ready. */
function walAfter(wal: WalFile, meta: StoreMeta, batches: readonly PendingBatch[]): StoreMeta["wal"] {
  const place =
    wal.ready && meta.wal?.epoch !== wal.epoch ? wal.first : batches.findLast(({ next }) => next !== undefined)?.next;
  return place === undefined ? meta.wal : { ...place, bytes: wal.size };
}

const roomOf = (batches: readonly PendingBatch[]): number =>
  roomFor(lengthOf(batches), lengthOf(batches.map(({ changes }) => changes)));

/** The transactions of the data file, one at a time. Each takes the oldest pending batches and a step of maintenance. */
export class FileCommits {
  readonly pending = new PendingBatches();
  isClosed = false;
  readonly #options: FileCommitsOptions;
  #meta: StoreMeta;
  #running: Promise<void> | undefined;

  constructor(options: FileCommitsOptions) {
    this.#options = options;
    this.#meta = options.meta;
  }

  /** As it stands in the file; pending batches may have changed some of it. */
  get meta(): StoreMeta {
    return this.#meta;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  /** Until this batch, and all before it, are in the file. */
  async commitUpTo(last: PendingBatch): Promise<void> {
    while (this.pending.has(last)) await this.#commit(last);
  }

  /** A step of maintenance alone. */
  commitMaintenance(): Promise<void> {
    return this.#commit(undefined);
  }

  /** Resolves when no transaction is under way. */
  async idle(): Promise<void> {
    while (this.#running) await this.#running.catch(() => undefined);
  }

  /** Runs `work` while nothing else is written to the file; the write-ahead log goes on. Rejects when the store has failed or closed meanwhile. */
  async exclusively(work: () => Promise<void>): Promise<void> {
    // Not `await this.idle()`: another commit could begin before this function continues.
    while (this.#running) await this.#running.catch(() => undefined);
    this.#options.disk.refuseIfFailed();
    if (this.isClosed)
      throw new StoreError("closed", "the store was closed before it was defragmented; nothing was changed");
    this.#running = work();
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
    }
  }

  async #commit(upTo: PendingBatch | undefined): Promise<void> {
    const { disk, maintenance } = this.#options;
    while (this.#running) await this.#running.catch(() => undefined);
    disk.refuseIfFailed();
    // Another commit may have taken it along.
    if (upTo !== undefined && !this.pending.has(upTo)) return;
    this.#running = this.#commitNow(upTo === undefined ? [] : this.pending.oldest(upTo, bytesPerCommit));
    try {
      await this.#running;
    } catch (err) {
      const error = await disk.noteError(err, "writing the file");
      if (error.reason === "full") maintenance.isPaused = true;
      throw error;
    } finally {
      this.#running = undefined;
    }
  }

  /** For the end: writes down that the write-ahead log holds nothing that the file does not: one that is lost from here on is no loss. */
  async settleLog(): Promise<void> {
    const { env, seam, disk } = this.#options;
    if (this.#meta.wal === undefined || this.pending.newest !== undefined || disk.failed) return;
    this.#meta = { ...this.#meta, wal: undefined };
    await seam(() => env.commit((writer) => writer.putMeta(this.#meta)), "file");
  }

  async #commitNow(batches: readonly PendingBatch[]): Promise<void> {
    const { env, seam, wal, maintenance, moment, hasReaders } = this.#options;
    let done: (() => void) | undefined;
    let meta = this.#meta;
    const commit = (): Promise<void> =>
      env.commit((writer) => {
        meta = this.#meta;
        const step = maintenance.due(meta, batches.at(-1)?.revision)?.step(writer, meta);
        if (step !== undefined) {
          meta = { ...meta, ...step.changes };
          done = () => step.done();
        }
        for (const batch of batches) meta = writeBatch(writer, meta, batch);
        meta = { ...meta, wal: walAfter(wal, meta, batches) };
        writer.putMeta(meta);
      }, roomOf(batches));
    await seam(commit, "file");
    moment?.("file written");
    this.#meta = meta;
    maintenance.isPaused = false;
    this.pending.dropOldest(batches, { reuse: !hasReaders() });
    if (meta.wal?.epoch === wal.epoch) wal.release(meta.wal);
    moment?.("log released");
    done?.();
  }
}
