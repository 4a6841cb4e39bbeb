import { crc32 } from "node:zlib";
import type { WalPlace } from "../wal-place.js";

/**
 * Every record begins on a page. Writing one never touches a page of the one before, so a write that is torn harms nothing that
 * was durable; and whatever is behind a damaged record is still found.
 */
export const pageBytes = 4096;

/**
 * The head of a record. Little-endian:
 *
 *     0  mark, four bytes
 *     4  checksum of all that follows (CRC-32), four bytes
 *     8  length of the record, head included, four bytes
 *    12  epoch, six bytes
 *    18  sequence, six bytes
 *    24  what it records
 */
export const recordHeadBytes = 24;
const mark = 0x6c_77_78_63;

export interface RecordHead {
  readonly length: number;
  readonly epoch: number;
  readonly sequence: number;
}

export const paddedLength = (length: number): number => Math.ceil(length / pageBytes) * pageBytes;

/** Fills in the head of a record whose other bytes are there. */
export function sealRecord(record: Buffer, { length, epoch, sequence }: RecordHead): void {
  record.writeUInt32LE(mark, 0);
  record.writeUInt32LE(length, 8);
  record.writeUIntLE(epoch, 12, 6);
  record.writeUIntLE(sequence, 18, 6);
  record.writeUInt32LE(crc32(record.subarray(8, length)), 4);
}

/** What stands at an offset, if it looks like the head of a record; the rest may be damaged. */
export function headAt(file: Buffer, at: number): RecordHead | undefined {
  if (at + recordHeadBytes > file.length || file.readUInt32LE(at) !== mark) return undefined;
  return {
    length: file.readUInt32LE(at + 8),
    epoch: file.readUIntLE(at + 12, 6),
    sequence: file.readUIntLE(at + 18, 6),
  };
}

/** The record that stands there, if it is this one and whole. */
export function recordAt(file: Buffer, { epoch, sequence, at }: WalPlace): Buffer | undefined {
  const head = headAt(file, at);
  if (
    head?.epoch !== epoch ||
    head.sequence !== sequence ||
    head.length < recordHeadBytes ||
    at + head.length > file.length
  )
    return undefined;
  const record = file.subarray(at, at + head.length);
  return crc32(record.subarray(8)) === record.readUInt32LE(4) ? record : undefined;
}
