import { crc32 } from "node:zlib";
import type { LeaseId, Note } from "../contract/key-value-store.js";
import type { IndexEntry } from "../local/index.js";
import type { Position } from "./position.js";
import { bufferOf } from "./value-slab.js";

/** What is kept in memory of each key: where its value lies, never the value. */
export class LogEntry implements IndexEntry, Position {
  readonly revision: number;
  readonly sub: number;
  readonly createRevision: number;
  readonly version: number;
  readonly lease: LeaseId | undefined;

  constructor(revision: number, sub: number, createRevision: number, version: number, lease: LeaseId | undefined) {
    this.revision = revision;
    this.sub = sub;
    this.createRevision = createRevision;
    this.version = version;
    this.lease = lease;
  }
}

/**
 * A change as it lies in the log. Little-endian:
 *
 *     0  checksum (CRC-32) of what follows up to the value, begun with the position: four bytes
 *     4  checksum of the value, four bytes
 *     8  flags: 1 put (else delete), 2 has a previous, 4 has a lease, 8 is the last change of its revision
 *    10  length of the key, two bytes
 *    12  length of the note, four bytes
 *    16  create revision, six bytes
 *    22  version, six bytes
 *    28  position of what stood there before: revision, six bytes, and sub, four bytes
 *    38  lease, six bytes
 *    44  key, note (JSON), value
 *
 * Two checksums, because a damaged value concerns one object, whose key and revisions are still known; a damaged head may
 * concern any. The position is part of the first, so a change that is found in another's place is not taken for it.
 */
export const headBytes = 44;
const valueSumAt = 4;
const flagsAt = 8;
const keyLengthAt = 10;
const noteLengthAt = 12;
const createRevisionAt = 16;
const versionAt = 22;
const previousAt = 28;
const leaseAt = 38;
const isPut = 1;
const hasPrevious = 2;
const hasLease = 4;
const isLast = 8;

export interface ChangeToWrite {
  readonly key: string;
  readonly entry: LogEntry | undefined;
  readonly previous: Position | undefined;
  readonly value: Uint8Array | undefined;
  readonly note: Note | undefined;
}

/** The note as it lies in the log. */
export const noteTextOf = ({ note }: ChangeToWrite): string => (note === undefined ? "" : JSON.stringify(note));

/** No change takes more room than this: at most three bytes for each unit of a string. */
export const maxBytesOf = ({ key, value }: ChangeToWrite, noteText: string): number =>
  headBytes + (key.length + noteText.length) * 3 + (value === undefined ? 0 : value.length);

/** Where a change is to stand. */
export interface ChangePlace extends Position {
  /** No other change of the same revision follows. */
  readonly last: boolean;
}

/** Writes a change where there is room for it; returns where it ends. */
export function encodeChange(
  bytes: Buffer,
  start: number,
  { key, entry, previous, value }: ChangeToWrite,
  noteText: string,
  place: ChangePlace,
): number {
  const keyStart = start + headBytes;
  const noteStart = keyStart + writeText(bytes, key, keyStart);
  const valueAt = noteText === "" ? noteStart : noteStart + writeText(bytes, noteText, noteStart);
  const at = start + flagsAt;
  bytes[at] =
    (entry ? isPut : 0) |
    (previous ? hasPrevious : 0) |
    (entry?.lease === undefined ? 0 : hasLease) |
    (place.last ? isLast : 0);
  bytes[at + 1] = 0;
  writeNumber(bytes, noteStart - keyStart, start + keyLengthAt, 2);
  writeNumber(bytes, valueAt - noteStart, start + noteLengthAt, 4);
  writeNumber(bytes, entry?.createRevision ?? 0, start + createRevisionAt, 6);
  writeNumber(bytes, entry?.version ?? 0, start + versionAt, 6);
  writeNumber(bytes, previous?.revision ?? 0, start + previousAt, 6);
  writeNumber(bytes, previous?.sub ?? 0, start + previousAt + 6, 4);
  writeNumber(bytes, entry?.lease ?? 0, start + leaseAt, 6);
  let end = valueAt;
  if (value !== undefined) {
    bytes.set(value, valueAt);
    end += value.length;
  }
  sealChange(bytes.subarray(start, end), place);
  return end;
}

/** Fills in the checksums of a change whose other bytes are there. */
export function sealChange(bytes: Buffer, position: Position): void {
  const valueAt = valueStart(bytes);
  writeNumber(bytes, valueAt === bytes.length ? 0 : crc32(bytes.subarray(valueAt)), valueSumAt, 4);
  writeNumber(bytes, crc32(bytes.subarray(valueSumAt, valueAt), seedOf(position)), 0, 4);
}

/** CRC-32 begins with a number; another one gives another checksum of the same bytes. The factor is odd, so no two subs of a revision share one. */
const seedOf = ({ revision, sub }: Position): number =>
  ((revision % 0x1_0000_0000) + Math.imul(sub, 0x9e37_79b1)) >>> 0;

/**
 * Whether everything but the value is as it was written, at this position. The bytes may be those of the library's shared
 * buffer, whose memory is longer than its `length`.
 */
export function isHeadWhole(bytes: Buffer, position: Position): boolean {
  if (bytes.length < headBytes) return false;
  const end = valueStart(bytes);
  return end <= bytes.length && crc32(part(bytes, valueSumAt, end), seedOf(position)) === bytes.readUInt32LE(0);
}

/** Whether the value is as it was written; the head must be whole. */
export function isValueWhole(bytes: Buffer): boolean {
  const start = valueStart(bytes);
  // The checksum of nothing is 0.
  return (start === bytes.length ? 0 : crc32(part(bytes, start, bytes.length))) === bytes.readUInt32LE(valueSumAt);
}

const part = (bytes: Buffer, from: number, to: number): Uint8Array =>
  new Uint8Array(bufferOf(bytes), bytes.byteOffset + from, to - from);

/** A change in memory of its own. */
export function encodedChange(change: ChangeToWrite, place: ChangePlace): Buffer {
  const noteText = noteTextOf(change);
  const bytes = Buffer.allocUnsafeSlow(maxBytesOf(change, noteText));
  return bytes.subarray(0, encodeChange(bytes, 0, change, noteText, place));
}

/** How a change in the file moves the number of keys. */
export const keysAdded = (bytes: Uint8Array): number => {
  const flags = bytes[flagsAt]!;
  if ((flags & isPut) === 0) return -1;
  return (flags & hasPrevious) === 0 ? 1 : 0;
};

/** Returns how many bytes it took. Keys are short and nearly always ASCII: a call out of the engine would cost more. */
function writeText(bytes: Buffer, text: string, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 0x7f) return bytes.write(text, at);
    bytes[at + i] = unit;
  }
  return text.length;
}

/** Little-endian. */
export function writeNumber(bytes: Buffer, value: number, at: number, width: 2 | 4 | 6): void {
  bytes[at] = value;
  bytes[at + 1] = value >>> 8;
  if (width === 2) return;
  bytes[at + 2] = value >>> 16;
  bytes[at + 3] = value >>> 24;
  if (width === 4) return;
  const high = Math.floor(value / 0x1_0000_0000);
  bytes[at + 4] = high;
  bytes[at + 5] = high >>> 8;
}

/** Where a change's value begins. */
export const valueStart = (bytes: Buffer): number =>
  headBytes +
  (bytes[keyLengthAt]! | (bytes[keyLengthAt + 1]! << 8)) +
  ((bytes[noteLengthAt]! |
    (bytes[noteLengthAt + 1]! << 8) |
    (bytes[noteLengthAt + 2]! << 16) |
    (bytes[noteLengthAt + 3]! << 24)) >>>
    0);

/** Reads a change where it lies; nothing is copied until it is asked for. The buffer must not change meanwhile. */
export class ChangeReader {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isPut(): boolean {
    return (this.#bytes[flagsAt]! & isPut) !== 0;
  }

  /** No other change of its revision follows. */
  get isLast(): boolean {
    return (this.#bytes[flagsAt]! & isLast) !== 0;
  }

  get previous(): Position | undefined {
    if ((this.#bytes[flagsAt]! & hasPrevious) === 0) return undefined;
    return { revision: this.#bytes.readUIntLE(previousAt, 6), sub: this.#bytes.readUInt32LE(previousAt + 6) };
  }

  get key(): string {
    return this.#bytes.toString("utf8", headBytes, headBytes + this.#keyLength);
  }

  get valueStart(): number {
    return valueStart(this.#bytes);
  }

  get note(): Note | undefined {
    const start = headBytes + this.#keyLength;
    return this.valueStart === start
      ? undefined
      : (JSON.parse(this.#bytes.toString("utf8", start, this.valueStart)) as Note);
  }

  hasKey(key: Uint8Array): boolean {
    return (
      this.#keyLength === key.length && this.#bytes.compare(key, 0, key.length, headBytes, headBytes + key.length) === 0
    );
  }

  /** The entry of a put at this position; undefined for a delete. */
  entry({ revision, sub }: Position): LogEntry | undefined {
    if (!this.isPut) return undefined;
    const lease = (this.#bytes[flagsAt]! & hasLease) === 0 ? undefined : this.#bytes.readUIntLE(leaseAt, 6);
    return new LogEntry(
      revision,
      sub,
      this.#bytes.readUIntLE(createRevisionAt, 6),
      this.#bytes.readUIntLE(versionAt, 6),
      lease,
    );
  }

  get #keyLength(): number {
    return this.#bytes.readUInt16LE(keyLengthAt);
  }
}
