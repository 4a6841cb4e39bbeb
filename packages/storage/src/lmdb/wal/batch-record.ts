import type { Batch, LeaseChange } from "../../local/index.js";
import { encodeChange, type LogEntry, maxBytesOf, noteTextOf, writeNumber } from "../log-record.js";
import type { Position } from "../position.js";
import { recordHeadBytes } from "./wal-record.js";

/** A change as it lies in the log, and where. */
export interface EncodedChange extends Position {
  readonly bytes: Uint8Array;
}

/** A batch whose changes are bytes. */
export interface EncodedBatch {
  /** The store's revision once this is durable. */
  readonly revision: number;
  readonly changes: readonly EncodedChange[];
  readonly leases: readonly LeaseChange[];
  readonly compacted: number | undefined;
}

/**
 * A batch as a record, behind the record's head. Little-endian:
 *
 *    24  revision, six bytes
 *    30  compacted, six bytes; 0: it compacts nothing
 *    36  how many changes, four bytes
 *    40  how many changes of leases, four bytes
 *    44  where the changes end, four bytes
 *    48  the changes, one behind the other
 *        per change: revision, sub and length (six, four and four bytes)
 *        per change of a lease: 1 grant or 0 end, the lease, milliseconds to live (one, six and eight bytes, the last a double)
 */
const bodyAt = recordHeadBytes + 24;
const rowBytes = 14;
const leaseBytes = 15;

/** A batch that has yet to find room: its size is known before it is written. */
export class BatchRecord {
  /** No more than this is written. */
  readonly maxBytes: number;
  readonly #batch: Batch<LogEntry>;
  readonly #notes: readonly string[];

  constructor(batch: Batch<LogEntry>) {
    this.#batch = batch;
    this.#notes = batch.changes.map(noteTextOf);
    this.maxBytes = bodyAt + batch.leases.length * leaseBytes;
    for (const [i, change] of batch.changes.entries()) this.maxBytes += maxBytesOf(change, this.#notes[i]!) + rowBytes;
  }

  /** Writes all but the record's head, which is not known yet. Returns the length, and the changes where they lie now. */
  write(record: Buffer): { length: number; batch: EncodedBatch } {
    const { revision, changes, leases, compacted } = this.#batch;
    const encoded: EncodedChange[] = [];
    let at = bodyAt;
    let sub = 0;
    let last = 0;
    for (const [i, change] of changes.entries()) {
      sub = change.revision === last ? sub + 1 : 0;
      last = change.revision;
      const place = { revision: last, sub, last: changes[i + 1]?.revision !== last };
      const end = encodeChange(record, at, change, this.#notes[i]!, place);
      encoded.push({ revision: last, sub, bytes: new Uint8Array(record.buffer, record.byteOffset + at, end - at) });
      at = end;
    }
    writeNumber(record, revision, recordHeadBytes, 6);
    writeNumber(record, compacted ?? 0, recordHeadBytes + 6, 6);
    writeNumber(record, changes.length, recordHeadBytes + 12, 4);
    writeNumber(record, leases.length, recordHeadBytes + 16, 4);
    writeNumber(record, at, recordHeadBytes + 20, 4);
    for (const change of encoded) {
      writeNumber(record, change.revision, at, 6);
      writeNumber(record, change.sub, at + 6, 4);
      writeNumber(record, change.bytes.length, at + 10, 4);
      at += rowBytes;
    }
    for (const change of leases) {
      record[at] = change.do === "grant" ? 1 : 0;
      writeNumber(record, change.lease, at + 1, 6);
      record.writeDoubleLE(change.do === "grant" ? change.ttlMs : 0, at + 7);
      at += leaseBytes;
    }
    return { length: at, batch: { revision, changes: encoded, leases, compacted } };
  }
}

/** Reads what `BatchRecord` wrote. Nothing is copied: the changes are where the record is. */
export function decodeBatch(record: Buffer): EncodedBatch {
  const count = record.readUInt32LE(recordHeadBytes + 12);
  const leaseCount = record.readUInt32LE(recordHeadBytes + 16);
  let at = record.readUInt32LE(recordHeadBytes + 20);
  let start = bodyAt;
  const changes: EncodedChange[] = [];
  for (let i = 0; i < count; i++, at += rowBytes) {
    const length = record.readUInt32LE(at + 10);
    changes.push({
      revision: record.readUIntLE(at, 6),
      sub: record.readUInt32LE(at + 6),
      bytes: record.subarray(start, start + length),
    });
    start += length;
  }
  const leases: LeaseChange[] = [];
  for (let i = 0; i < leaseCount; i++, at += leaseBytes) {
    const lease = record.readUIntLE(at + 1, 6);
    leases.push(record[at] === 1 ? { do: "grant", lease, ttlMs: record.readDoubleLE(at + 7) } : { do: "end", lease });
  }
  const compacted = record.readUIntLE(recordHeadBytes + 6, 6);
  return {
    revision: record.readUIntLE(recordHeadBytes, 6),
    changes,
    leases,
    compacted: compacted === 0 ? undefined : compacted,
  };
}
