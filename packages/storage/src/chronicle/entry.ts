import type { Note } from "../contract/key-value-store.js";
import type { ChronicleChange } from "./chronicle.js";

/**
 * A change as it lies in a block:
 *
 *     0  type: 0 deleted, 1 a value, 2 a digest
 *     1  length of the key, two bytes
 *     3  length of the facts, four bytes
 *     7  length of the value, four bytes
 *    11  revision, six bytes
 *    17  create revision, six bytes
 *    23  version, four bytes
 *    27  key, facts (JSON), value
 */
const headBytes = 27;
const types = ["delete", "put", "put"] as const;

interface Facts {
  readonly s?: number | undefined;
  readonly n?: Note | undefined;
  readonly c?: unknown;
  readonly d?: unknown;
}

/** Writes a change behind others. @returns where it ends; undefined: there is no room */
export function writeEntry(bytes: Buffer, start: number, change: ChronicleChange): number | undefined {
  const facts = factsText(change);
  const valueLength = change.value?.length ?? 0;
  // A character takes three bytes at most.
  if (start + headBytes + (change.key.length + facts.length) * 3 + valueLength > bytes.length) return undefined;
  const keyEnd = start + headBytes + bytes.write(change.key, start + headBytes);
  const factsEnd = facts === "" ? keyEnd : keyEnd + bytes.write(facts, keyEnd);
  bytes[start] = change.type === "delete" ? 0 : change.value === undefined ? 2 : 1;
  bytes.writeUInt16LE(keyEnd - start - headBytes, start + 1);
  bytes.writeUInt32LE(factsEnd - keyEnd, start + 3);
  bytes.writeUInt32LE(valueLength, start + 7);
  bytes.writeUIntLE(change.revision, start + 11, 6);
  bytes.writeUIntLE(change.createRevision, start + 17, 6);
  bytes.writeUInt32LE(change.version, start + 23);
  if (change.value) bytes.set(change.value, factsEnd);
  return factsEnd + valueLength;
}

/** Bytes that a change takes at most. */
export const maxEntryBytes = (change: ChronicleChange): number =>
  headBytes + (change.key.length + factsText(change).length) * 3 + (change.value?.length ?? 0);

function factsText({ sub = 0, note, causes, digest }: ChronicleChange): string {
  if (sub === 0 && note === undefined && causes === undefined && digest === undefined) return "";
  const facts: Facts = { s: sub > 0 ? sub : undefined, n: note, c: causes, d: digest };
  return JSON.stringify(facts);
}

/** A change in a block, read as far as it is asked for: most are passed over for their key or revision. */
export class Entry implements ChronicleChange {
  readonly #bytes: Buffer;
  readonly #start: number;
  readonly key: string;
  readonly revision: number;
  #facts: Facts | undefined;

  constructor(bytes: Buffer, start: number) {
    this.#bytes = bytes;
    this.#start = start;
    this.key = bytes.toString("utf8", start + headBytes, start + headBytes + bytes.readUInt16LE(start + 1));
    this.revision = bytes.readUIntLE(start + 11, 6);
  }

  get type(): "put" | "delete" {
    return types[this.#bytes[this.#start] as 0 | 1 | 2];
  }

  get createRevision(): number {
    return this.#bytes.readUIntLE(this.#start + 17, 6);
  }

  get version(): number {
    return this.#bytes.readUInt32LE(this.#start + 23);
  }

  get value(): Uint8Array | undefined {
    if (this.#bytes[this.#start] !== 1) return undefined;
    const end = entryEnd(this.#bytes, this.#start);
    return this.#bytes.subarray(end - this.#bytes.readUInt32LE(this.#start + 7), end);
  }

  get sub(): number | undefined {
    return this.#read().s;
  }

  get note(): Note | undefined {
    return this.#read().n;
  }

  get causes(): unknown {
    return this.#read().c;
  }

  get digest(): unknown {
    return this.#read().d;
  }

  #read(): Facts {
    if (this.#facts) return this.#facts;
    const [bytes, start] = [this.#bytes, this.#start];
    const from = start + headBytes + bytes.readUInt16LE(start + 1);
    const length = bytes.readUInt32LE(start + 3);
    return (this.#facts = length === 0 ? {} : (JSON.parse(bytes.toString("utf8", from, from + length)) as Facts));
  }
}

const entryEnd = (bytes: Buffer, start: number): number =>
  start + headBytes + bytes.readUInt16LE(start + 1) + bytes.readUInt32LE(start + 3) + bytes.readUInt32LE(start + 7);

/** Changes of one key in a block, oldest first. The others are passed over by their length, or their bytes. */
export function readEntriesOf(bytes: Buffer, key: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let start = 0; start < bytes.length; start = entryEnd(bytes, start)) {
    const from = start + headBytes;
    if (bytes.readUInt16LE(start + 1) !== key.length) continue;
    if (key.compare(bytes, from, from + key.length) === 0) entries.push(new Entry(bytes, start));
  }
  return entries;
}

/** All changes of a block, oldest first. */
export function readEntries(bytes: Buffer): Entry[] {
  const entries: Entry[] = [];
  for (let start = 0; start < bytes.length; start = entryEnd(bytes, start)) entries.push(new Entry(bytes, start));
  return entries;
}
