import type { LeaseId, Note } from "../key-value-store.js";
import type { IndexEntry } from "../local/index.js";
import type { Position } from "./position.js";

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
 *     0  flags: 1 put (else delete), 2 has a previous, 4 has a lease
 *     2  length of the key, two bytes
 *     4  length of the note, four bytes
 *     8  create revision, six bytes
 *    14  version, six bytes
 *    20  position of what stood there before: revision, six bytes, and sub, four bytes
 *    30  lease, six bytes
 *    36  key, note (JSON), value
 */
export const headBytes = 36;
const isPut = 1;
const hasPrevious = 2;
const hasLease = 4;

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

/** Writes a change where there is room for it; returns where it ends. */
export function encodeChange(
  bytes: Buffer,
  start: number,
  { key, entry, previous, value }: ChangeToWrite,
  noteText: string,
): number {
  const keyStart = start + headBytes;
  const noteStart = keyStart + writeText(bytes, key, keyStart);
  const valueAt = noteText === "" ? noteStart : noteStart + writeText(bytes, noteText, noteStart);
  bytes[start] = (entry ? isPut : 0) | (previous ? hasPrevious : 0) | (entry?.lease === undefined ? 0 : hasLease);
  bytes[start + 1] = 0;
  writeNumber(bytes, noteStart - keyStart, start + 2, 2);
  writeNumber(bytes, valueAt - noteStart, start + 4, 4);
  writeNumber(bytes, entry?.createRevision ?? 0, start + 8, 6);
  writeNumber(bytes, entry?.version ?? 0, start + 14, 6);
  writeNumber(bytes, previous?.revision ?? 0, start + 20, 6);
  writeNumber(bytes, previous?.sub ?? 0, start + 26, 4);
  writeNumber(bytes, entry?.lease ?? 0, start + 30, 6);
  if (value === undefined) return valueAt;
  bytes.set(value, valueAt);
  return valueAt + value.length;
}

/** A change in memory of its own. */
export function encodedChange(change: ChangeToWrite): Buffer {
  const noteText = noteTextOf(change);
  const bytes = Buffer.allocUnsafeSlow(maxBytesOf(change, noteText));
  return bytes.subarray(0, encodeChange(bytes, 0, change, noteText));
}

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
  headBytes + (bytes[2]! | (bytes[3]! << 8)) + (bytes[4]! | (bytes[5]! << 8) | (bytes[6]! << 16) | (bytes[7]! << 24));

/** Reads a change where it lies; nothing is copied until it is asked for. The buffer must not change meanwhile. */
export class ChangeReader {
  readonly #bytes: Buffer;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isPut(): boolean {
    return (this.#bytes[0]! & isPut) !== 0;
  }

  get previous(): Position | undefined {
    if ((this.#bytes[0]! & hasPrevious) === 0) return undefined;
    return { revision: this.#bytes.readUIntLE(20, 6), sub: this.#bytes.readUInt32LE(26) };
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
    const lease = (this.#bytes[0]! & hasLease) === 0 ? undefined : this.#bytes.readUIntLE(30, 6);
    return new LogEntry(revision, sub, this.#bytes.readUIntLE(8, 6), this.#bytes.readUIntLE(14, 6), lease);
  }

  get #keyLength(): number {
    return this.#bytes.readUInt16LE(2);
  }
}
