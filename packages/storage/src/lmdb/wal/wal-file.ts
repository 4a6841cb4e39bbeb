import { fdatasync, writeSync } from "node:fs";
import { type FileHandle, open, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Logger } from "@coxswain/runtime/log";
import { StoreError } from "../../contract/store-error.js";
import { syncDirectory } from "../../files/sync-file.js";
import type { Moment } from "../moment.js";
import type { WalPlace } from "../wal-place.js";
import { pageBytes, sealRecord } from "./wal-record.js";

const piece = Buffer.alloc(1024 * 1024);

export interface WalFileOptions {
  readonly path: string;
  /** In bytes; 0: there is none. A longer one that is there already stays as it is. */
  readonly bytes: number;
  readonly epoch: number;
  readonly log: Pick<Logger, "warn">;
  /** For tests. */
  readonly moment?: ((at: Moment) => void) | undefined;
}

/**
 * The write-ahead log: a ring of records in a file that is made once and never changes its size, so that a sync waits for the
 * record's own bytes and not for the file system. Independent of what the records contain.
 *
 * Assumptions: one append at a time, and none that `fits` has not been asked for.
 */
export class WalFile {
  readonly epoch: number;
  readonly #options: WalFileOptions;
  #creating: Promise<void> | undefined;
  #file: FileHandle | undefined;
  #closed = false;
  #size = 0;
  #sequence = 1;
  /** Where the next record goes, if it fits in front of the end. */
  #head = 0;
  /** The oldest record that is still needed begins here; as far as the head when there is none. */
  #tail = 0;

  constructor(options: WalFileOptions) {
    this.#options = options;
    this.epoch = options.epoch;
  }

  get ready(): boolean {
    return this.#file !== undefined;
  }

  get first(): WalPlace {
    return { epoch: this.epoch, sequence: 1, at: 0 };
  }

  /** Bytes in use. */
  get used(): number {
    return this.#head >= this.#tail ? this.#head - this.#tail : this.#size - this.#tail + this.#head;
  }

  get size(): number {
    return this.#size;
  }

  /** Opens the file and makes it if need be. If that fails the store works without it, and logs that. */
  make(): Promise<void> {
    const { bytes, path, log } = this.#options;
    return (this.#creating ??=
      bytes === 0
        ? Promise.resolve()
        : this.#create().catch((err: Error) =>
            log.warn(
              `the write-ahead log ${path} could not be created (${err.message}): until the next start every write waits for the file itself, which is slower`,
            ),
          ));
  }

  fits(bytes: number): boolean {
    return this.#placeFor(bytes) !== undefined;
  }

  /** Durable when it resolves, to the place of the next one. `record` is padded to whole pages; `length` of it count. */
  append(record: Buffer, length: number): Promise<WalPlace> {
    const at = this.#placeFor(record.length);
    if (at === undefined) throw new Error("there is no room in the write-ahead log");
    const { epoch } = this;
    const sequence = this.#sequence;
    const { fd } = this.#file!;
    sealRecord(record, { length, epoch, sequence });
    // Into the page cache: that takes a few microseconds, a round trip to another thread takes many.
    writeWhole(fd, record, at);
    this.#options.moment?.("log written");
    return new Promise((resolve, reject) => {
      fdatasync(fd, (err) => {
        // Whatever the error, even a full disk: the next opening may find the record.
        if (err !== null)
          return reject(
            new StoreError(
              "outcome-unknown",
              `the write-ahead log could not be synced (${err.message}): whether the last writes are on disk is not known, and the store writes no more. Check the disk, then restart`,
              { cause: err },
            ),
          );
        this.#options.moment?.("log synced");
        this.#sequence = sequence + 1;
        this.#head = at + record.length;
        resolve({ epoch, sequence: sequence + 1, at: this.#head });
      });
    });
  }

  /** Everything in front of this place is needed no more. */
  release({ at }: WalPlace): void {
    this.#tail = at;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#creating;
    await this.#file?.close();
    this.#file = undefined;
  }

  #placeFor(bytes: number): number | undefined {
    if (this.#head >= this.#tail) {
      if (bytes <= this.#size - this.#head) return this.#head;
      return bytes < this.#tail ? 0 : undefined;
    }
    // Never quite up to the tail: a full ring must not look like an empty one.
    return bytes < this.#tail - this.#head ? this.#head : undefined;
  }

  async #create(): Promise<void> {
    const { path, bytes } = this.#options;
    const file = await open(path, "a+", 0o600);
    let made = false;
    try {
      let { size } = await file.stat();
      const isNew = size < bytes;
      // Written, not just truncated to its length: a sync must not have to update file-system metadata.
      while (size < bytes) {
        if (this.#closed) return;
        size += (await file.write(piece.subarray(0, Math.min(piece.length, bytes - size)))).bytesWritten;
        await file.datasync();
      }
      if (isNew) await syncDirectory(dirname(path));
      this.#size = size - (size % pageBytes);
      made = true;
    } finally {
      await file.close();
      // An incomplete file is of no use, and takes space.
      if (!made) await rm(path, { force: true });
    }
    // One that appends would put every record at the end.
    this.#file = await open(path, "r+");
  }
}

function writeWhole(fd: number, bytes: Buffer, at: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(fd, bytes, written, bytes.length - written, at + written);
}
