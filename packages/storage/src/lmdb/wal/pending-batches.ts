import type { Batch } from "../../local/index.js";
import type { LogEntry } from "../log-record.js";
import type { Position } from "../position.js";
import type { WalPlace } from "../wal-place.js";
import { BatchRecord, type EncodedBatch, type EncodedChange } from "./batch-record.js";
import { type RecordBuffer, RecordBuffers } from "./record-buffers.js";

/** A batch that is not in the file yet. */
export interface PendingBatch extends EncodedBatch {
  /** As it goes into the write-ahead log. */
  readonly record: RecordBuffer;
  /** How many bytes of the record count. */
  readonly length: number;
  /** Behind its record in the write-ahead log; undefined while it is not there. */
  next: WalPlace | undefined;
}

/** What was written and is not in the file yet, oldest first. The write-ahead log has it too; reading is done from here. */
export class PendingBatches {
  readonly #buffers = new RecordBuffers();
  #batches: PendingBatch[] = [];
  #changes: EncodedChange[] = [];
  #bytes = 0;

  /** All changes, in the order of the log. Later ones come to the same array; one that loses some is another. */
  get changes(): readonly EncodedChange[] {
    return this.#changes;
  }

  /** Bytes of its records, without padding. */
  get bytes(): number {
    return this.#bytes;
  }

  get newest(): PendingBatch | undefined {
    return this.#batches.at(-1);
  }

  /** The newest that the write-ahead log has. */
  get newestLogged(): PendingBatch | undefined {
    return this.#batches.findLast(({ next }) => next !== undefined);
  }

  add(batch: Batch<LogEntry>): PendingBatch {
    const record = new BatchRecord(batch);
    let written: { length: number; batch: EncodedBatch } | undefined;
    const buffer = this.#buffers.take(record.maxBytes, (bytes) => (written = record.write(bytes)).length);
    const {
      length,
      batch: { revision, changes, leases, compacted },
    } = written!;
    // Member by member: V8 makes copies by spreading into something ten times as large.
    const pending: PendingBatch = { revision, changes, leases, compacted, record: buffer, length, next: undefined };
    this.#batches.push(pending);
    for (const change of pending.changes) this.#changes.push(change);
    this.#bytes += length;
    return pending;
  }

  has(batch: PendingBatch): boolean {
    return this.#batches.includes(batch);
  }

  /** The oldest ones up to this one, as many as go into one transaction; at least one. */
  oldest(upTo: PendingBatch, maxBytes: number): readonly PendingBatch[] {
    let bytes = 0;
    let count = 0;
    do bytes += this.#batches[count]!.length;
    while (this.#batches[count++] !== upTo && bytes < maxBytes);
    return this.#batches.slice(0, count);
  }

  /** They are in the file. */
  dropOldest(batches: readonly PendingBatch[], options: { reuse: boolean }): void {
    this.#batches = this.#batches.slice(batches.length);
    this.#changes = this.#changes.slice(batches.reduce((sum, { changes }) => sum + changes.length, 0));
    for (const batch of batches) this.#done(batch, options);
  }

  /** It was not written: it is as if it had never come. */
  dropNewest(batch: PendingBatch): void {
    this.#batches = this.#batches.slice(0, -1);
    this.#changes = this.#changes.slice(0, this.#changes.length - batch.changes.length);
    // It was never visible, so nobody reads it.
    this.#done(batch, { reuse: true });
  }

  #done({ record, length }: PendingBatch, options: { reuse: boolean }): void {
    this.#bytes -= length;
    this.#buffers.giveBack(record, options);
  }
}

/** Where in a list of changes this position is, or would be. */
export function indexOf(changes: readonly EncodedChange[], { revision, sub }: Position): number {
  let low = 0;
  let high = changes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const change = changes[middle]!;
    if (change.revision < revision || (change.revision === revision && change.sub < sub)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The bytes of a change, where they lie. */
export function findChange(changes: readonly EncodedChange[], position: Position): Buffer | undefined {
  const first = changes[0];
  if (first === undefined || position.revision < first.revision) return undefined;
  const found = changes[indexOf(changes, position)];
  if (found === undefined || found.revision !== position.revision || found.sub !== position.sub) return undefined;
  return Buffer.from(found.bytes.buffer, found.bytes.byteOffset, found.bytes.length);
}
