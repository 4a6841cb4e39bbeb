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

/** A head as it was found. */
export interface FoundHead extends RecordHead {
  /** It has the mark that all heads have. */
  readonly isMarked: boolean;
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

/** What stands at an offset, if it looks like the head of a record; the rest may be damaged, with `anyMark` the mark as well. */
export function headAt(file: Buffer, at: number, { anyMark = false } = {}): FoundHead | undefined {
  if (at + recordHeadBytes > file.length) return undefined;
  const isMarked = file.readUInt32LE(at) === mark;
  if (!isMarked && !anyMark) return undefined;
  return {
    isMarked,
    length: file.readUInt32LE(at + 8),
    epoch: file.readUIntLE(at + 12, 6),
    sequence: file.readUIntLE(at + 18, 6),
  };
}

/** Whether a record stands there that is as it was written, whichever it is. */
export function isWhole(file: Buffer, at: number): boolean {
  const head = headAt(file, at);
  if (head === undefined || head.length < recordHeadBytes || at + head.length > file.length) return false;
  return crc32(file.subarray(at + 8, at + head.length)) === file.readUInt32LE(at + 4);
}

/** The record that stands there, if it is this one and whole. */
export function recordAt(file: Buffer, { epoch, sequence, at }: WalPlace): Buffer | undefined {
  const head = headAt(file, at);
  return head?.epoch === epoch && head.sequence === sequence && isWhole(file, at)
    ? file.subarray(at, at + head.length)
    : undefined;
}
