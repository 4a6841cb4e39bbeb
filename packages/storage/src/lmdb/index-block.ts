import { crc32 } from "node:zlib";
import type { Leaf } from "../sorted-map/index.js";
import { LogEntry } from "./log-record.js";

/**
 * A leaf of the index as it lies on disk: a checksum (CRC-32 of what follows, begun with the block's number, four bytes), a count
 * (two bytes), then per key its length (two bytes), its bytes, revision, sub,
 * create revision, version and lease (six, four, six, six and six bytes; a lease of 0 is none). Little-endian.
 */
const entryBytes = 28;

const countAt = 4;

export function encodeBlock({ keys, values }: Leaf<LogEntry>, block: number): Buffer {
  let size = countAt + 2;
  for (const key of keys) size += 2 + Buffer.byteLength(key) + entryBytes;
  const bytes = Buffer.allocUnsafe(size);
  let at = bytes.writeUInt16LE(keys.length, countAt);
  for (const [i, key] of keys.entries()) {
    const { revision, sub, createRevision, version, lease } = values[i]!;
    const length = bytes.write(key, at + 2);
    bytes.writeUInt16LE(length, at);
    at += 2 + length;
    at = bytes.writeUIntLE(revision, at, 6);
    at = bytes.writeUInt32LE(sub, at);
    at = bytes.writeUIntLE(createRevision, at, 6);
    at = bytes.writeUIntLE(version, at, 6);
    at = bytes.writeUIntLE(lease ?? 0, at, 6);
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(countAt), block), 0);
  return bytes;
}

export const isBlockWhole = (bytes: Buffer, block: number): boolean =>
  bytes.length >= countAt + 2 && crc32(bytes.subarray(countAt), block) === checksumOf(bytes);

/** The checksum that a block has. */
export const checksumOf = (block: Buffer): number => block.readUInt32LE(0);

/** Of one that is whole. */
export function decodeBlock(bytes: Buffer): { keys: string[]; values: LogEntry[] } {
  const count = bytes.readUInt16LE(countAt);
  const keys: string[] = [];
  const values: LogEntry[] = [];
  let at = countAt + 2;
  for (let i = 0; i < count; i++) {
    const length = bytes.readUInt16LE(at);
    keys.push(bytes.toString("utf8", at + 2, at + 2 + length));
    at += 2 + length;
    const lease = bytes.readUIntLE(at + 22, 6);
    values.push(
      new LogEntry(
        bytes.readUIntLE(at, 6),
        bytes.readUInt32LE(at + 6),
        bytes.readUIntLE(at + 10, 6),
        bytes.readUIntLE(at + 16, 6),
        lease === 0 ? undefined : lease,
      ),
    );
    at += entryBytes;
  }
  return { keys, values };
}
