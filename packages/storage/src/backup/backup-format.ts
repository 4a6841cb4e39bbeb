import type { KeyRecord, LeaseId } from "../contract/key-value-store.js";

/**
 * A backup is one file: a line of JSON, then each record as a head of fixed size, its key and its value, in key order, then an
 * end mark and the SHA-256 of all before it. It is independent of the engine.
 *
 * Head of a record, little-endian: length of the key (four bytes; all ones is the end mark), length of the value (four bytes),
 * revision, create revision, version and lease (six bytes each; a lease of 0 is none).
 */
export interface BackupHeader {
  readonly backup: "coxswain";
  readonly format: number;
  readonly revision: number;
  readonly keys: number;
  readonly leases: readonly { readonly lease: LeaseId; readonly ttlMs: number }[];
}

export const backupFormat = 1;
export const recordHeadBytes = 32;
export const endMark = 0xffff_ffff;
export const digestBytes = 32;
/** Longer than any header with a reasonable number of leases. */
export const maxHeaderBytes = 64 * 1024 * 1024;

export function encodeRecord({ key, value, revision, createRevision, version, lease = 0 }: KeyRecord): Buffer {
  const keyLength = Buffer.byteLength(key);
  const bytes = Buffer.allocUnsafe(recordHeadBytes + keyLength + value.length);
  bytes.writeUInt32LE(keyLength, 0);
  bytes.writeUInt32LE(value.length, 4);
  for (const [i, number] of [revision, createRevision, version, lease].entries())
    bytes.writeUIntLE(number, 8 + i * 6, 6);
  bytes.write(key, recordHeadBytes);
  bytes.set(value, recordHeadBytes + keyLength);
  return bytes;
}

/** The lengths in a record's head; undefined for the end mark. */
export function lengthsOf(head: Buffer): { keyLength: number; valueLength: number } | undefined {
  const keyLength = head.readUInt32LE(0);
  return keyLength === endMark ? undefined : { keyLength, valueLength: head.readUInt32LE(4) };
}

/** `bytes` is a whole record. */
export function decodeRecord(bytes: Buffer): KeyRecord {
  const { keyLength } = lengthsOf(bytes)!;
  const [revision, createRevision, version, lease] = [0, 1, 2, 3].map((i) => bytes.readUIntLE(8 + i * 6, 6)) as [
    number,
    number,
    number,
    number,
  ];
  const key = bytes.toString("utf8", recordHeadBytes, recordHeadBytes + keyLength);
  const value = new Uint8Array(
    bytes.buffer,
    bytes.byteOffset + recordHeadBytes + keyLength,
    bytes.length - recordHeadBytes - keyLength,
  );
  return lease === 0
    ? { key, value, revision, createRevision, version }
    : { key, value, revision, createRevision, version, lease };
}
