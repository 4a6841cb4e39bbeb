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

export function encodeChange({ key, entry, previous, value, note }: ChangeToWrite): Buffer {
  const noteText = note === undefined ? "" : JSON.stringify(note);
  const keyLength = Buffer.byteLength(key);
  const noteLength = noteText === "" ? 0 : Buffer.byteLength(noteText);
  const valueLength = value?.length ?? 0;
  const bytes = Buffer.allocUnsafe(headBytes + keyLength + noteLength + valueLength);
  bytes[0] = (entry ? isPut : 0) | (previous ? hasPrevious : 0) | (entry?.lease === undefined ? 0 : hasLease);
  bytes[1] = 0;
  bytes.writeUInt16LE(keyLength, 2);
  bytes.writeUInt32LE(noteLength, 4);
  bytes.writeUIntLE(entry?.createRevision ?? 0, 8, 6);
  bytes.writeUIntLE(entry?.version ?? 0, 14, 6);
  bytes.writeUIntLE(previous?.revision ?? 0, 20, 6);
  bytes.writeUInt32LE(previous?.sub ?? 0, 26);
  bytes.writeUIntLE(entry?.lease ?? 0, 30, 6);
  bytes.write(key, headBytes);
  if (noteLength > 0) bytes.write(noteText, headBytes + keyLength);
  if (value !== undefined) bytes.set(value, headBytes + keyLength + noteLength);
  return bytes;
}

/** Where a change's value begins. */
export const valueStart = (bytes: Buffer): number => headBytes + (bytes[2]! | (bytes[3]! << 8)) + (bytes[4]! | (bytes[5]! << 8) | (bytes[6]! << 16) | (bytes[7]! << 24));

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
    return this.valueStart === start ? undefined : (JSON.parse(this.#bytes.toString("utf8", start, this.valueStart)) as Note);
  }

  hasKey(key: Uint8Array): boolean {
    return this.#keyLength === key.length && this.#bytes.compare(key, 0, key.length, headBytes, headBytes + key.length) === 0;
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
