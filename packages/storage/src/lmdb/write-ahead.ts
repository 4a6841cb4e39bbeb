import type { Clock, Timer } from "@coxswain/runtime/clock";
import type { CommitSeam } from "./commit-seam.js";
import type { DiskReserve } from "./disk-reserve.js";
import { roomFor } from "./disk-room.js";
import type { DiskState } from "./disk-state.js";
import type { FileCommits } from "./file-commits.js";
import type { PendingBatch } from "./wal/pending-batches.js";
import type { WalFile } from "./wal/wal-file.js";

/** Pending batches are flushed to the data file when they are this much, or this old. */
const flushBytes = 512 * 1024;
const flushAfterMs = 2000;
/** A larger batch is a transaction of the data file: that costs less than writing it twice. */
const maxRecordBytes = 1024 * 1024;

export interface WriteAheadOptions {
  readonly wal: WalFile;
  readonly clock: Clock;
  readonly reserve: DiskReserve;
  readonly disk: DiskState;
  readonly commits: FileCommits;
  readonly seam: CommitSeam;
  /** A flush failed. What it was to flush is still in the write-ahead log. */
  readonly onError: (err: unknown) => void;
  readonly onFlushed: () => void;
}

/**
 * Makes batches durable in the write-ahead log, and flushes them to the data file later, several to a transaction. A batch that the
 * log does not take (too large, log full or not ready, or the file may lack room for it later) goes to the file at once, with
 * all that is pending.
 */
export class WriteAhead {
  readonly #options: WriteAheadOptions;
  #flushing: Promise<void> | undefined;
  #timer: Timer | undefined;

  constructor(options: WriteAheadOptions) {
    this.#options = options;
  }

  /** Resolves when the batch is durable. */
  async append(batch: PendingBatch): Promise<void> {
    const { wal, seam, commits } = this.#options;
    if (!this.#logTakes(batch)) return commits.commitUpTo(batch);
    await seam(async () => void (batch.next = await wal.append(batch.record.bytes, batch.length)), "log");
  }

  /** Arranges that pending batches are flushed before long. */
  schedule(): void {
    const { wal, clock, commits, disk } = this.#options;
    if (commits.pending.newestLogged === undefined) return this.#cancelTimer();
    if (this.#flushing || commits.isClosed || disk.failed) return;
    const isMuch = commits.pending.bytes >= flushBytes || wal.used > wal.size / 2;
    // On a full disk it is retried from time to time, and with every delete.
    if (isMuch && !disk.full) void this.flush();
    else this.#timer ??= clock.setTimer(flushAfterMs, () => void this.flush());
  }

  /** Flushes what is pending now. Never rejects: what could not be flushed is still in the write-ahead log. */
  flush(): Promise<void> {
    this.#flushing ??= this.#flushNow().finally(() => {
      this.#flushing = undefined;
      this.schedule();
      this.#options.onFlushed();
    });
    return this.#flushing;
  }

  /** Resolves when no flush is under way, and begins no more by itself once the commits are closed. */
  async stop(): Promise<void> {
    this.#cancelTimer();
    await this.#flushing;
  }

  async #flushNow(): Promise<void> {
    this.#cancelTimer();
    const { commits, onError } = this.#options;
    // A batch that is not in the log is awaited by its own writer.
    const last = commits.pending.newestLogged;
    if (last !== undefined) await commits.commitUpTo(last).catch(onError);
  }

  #logTakes({ record, length, compacted }: PendingBatch): boolean {
    const { wal, reserve, commits, disk } = this.#options;
    // Records of another epoch would not be replayed at the next opening.
    if (commits.meta.wal?.epoch !== wal.epoch || disk.full) return false;
    // Compactions are rare, and maintenance waits for them.
    if (compacted !== undefined) return false;
    // What is acknowledged now must not meet a full disk later.
    return length <= maxRecordBytes && wal.fits(record.bytes.length) && reserve.covers(roomFor(commits.pending.bytes));
  }

  #cancelTimer(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }
}
