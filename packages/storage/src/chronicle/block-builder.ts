import type { BlockFacts } from "./block.js";
import type { ChronicleChange } from "./chronicle.js";
import { maxEntryBytes, writeEntry } from "./entry.js";
import { addHashes } from "./key-hashes.js";

/** Entries of a block, before it is deflated. A reader of one entry inflates all of it, and its base. */
const blockBytes = 32 * 1024;
/**
 * A base is a block that stands alone, and that those after it are deflated against: objects resemble each other. It is small, since readers inflate it
 * as well, and there is another one from time to time, since what is written changes.
 */
const baseBytes = 16 * 1024;
const bytesPerBase = 1024 * 1024;
/** A base that is smaller, because it was flushed early, is replaced by a block of twice its size. */
const smallBase = 8 * 1024;

/** A block that is ready to be written; readers take it from here until it is. */
export interface RawBlock {
  readonly facts: BlockFacts;
  readonly raw: Buffer;
  /** It stands alone, and the next ones of its kind are deflated against it. */
  readonly isBase: boolean;
}

/** Gathers entries into a block. */
export class BlockBuilder {
  readonly #kind: "changes" | "keyframe";
  #bytes = Buffer.allocUnsafeSlow(baseBytes);
  /** Of the last base, and of the blocks since then. */
  #baseLength = 0;
  #sinceBase = 0;
  #length = 0;
  #count = 0;
  #firstRevision = 0;
  #lastRevision = 0;
  #firstTime = 0;
  #lastTime = 0;
  #hashes = new Set<number>();

  constructor(kind: "changes" | "keyframe") {
    this.#kind = kind;
  }

  get isEmpty(): boolean {
    return this.#count === 0;
  }

  /** @returns false when the block is full: take it, then add again */
  add(change: ChronicleChange): boolean {
    let end = writeEntry(this.#bytes, this.#length, change);
    if (end === undefined) {
      if (this.#count > 0) return false;
      // One that is larger than a block is a block of its own.
      this.#bytes = Buffer.allocUnsafeSlow(maxEntryBytes(change));
      end = writeEntry(this.#bytes, 0, change)!;
    }
    this.#length = end;
    addHashes(change.key, this.#hashes);
    const { revision, note } = change;
    if (this.#count === 0 || revision < this.#firstRevision) this.#firstRevision = revision;
    if (revision > this.#lastRevision) this.#lastRevision = revision;
    if (note) {
      this.#firstTime ||= note.time;
      this.#lastTime = Math.max(this.#lastTime, note.time);
    }
    this.#count += 1;
    return true;
  }

  /** What is in it so far, for readers. The bytes are not written over. */
  view(upTo: number): RawBlock {
    return { facts: this.#facts(upTo, false), raw: this.#bytes.subarray(0, this.#length), isBase: false };
  }

  /** The block; the builder begins another. `upTo` and `isEnd` as in `BlockFacts`. */
  take(upTo: number, isEnd = false): RawBlock {
    const isBase = this.#takeBase();
    const block = { facts: this.#facts(upTo, isEnd), raw: this.#bytes.subarray(0, this.#length), isBase };
    this.#bytes = Buffer.allocUnsafeSlow(this.#sinceBase >= bytesPerBase ? baseBytes : blockBytes);
    this.#length = this.#count = this.#firstRevision = this.#lastRevision = this.#firstTime = this.#lastTime = 0;
    this.#hashes = new Set();
    return block;
  }

  /** Whether what is gathered becomes a base. */
  #takeBase(): boolean {
    const isBase =
      this.#baseLength === 0 ||
      this.#sinceBase >= bytesPerBase ||
      (this.#baseLength < smallBase && this.#length >= 2 * this.#baseLength);
    if (isBase) this.#baseLength = this.#length;
    this.#sinceBase = isBase ? 0 : this.#sinceBase + this.#length;
    return isBase;
  }

  #facts(upTo: number, isEnd: boolean): BlockFacts {
    return {
      kind: this.#kind,
      isEnd,
      count: this.#count,
      rawBytes: this.#length,
      firstRevision: this.#firstRevision,
      lastRevision: this.#lastRevision,
      upTo,
      firstTime: this.#firstTime,
      lastTime: this.#lastTime,
      hashes: Uint32Array.from(this.#hashes).sort(),
    };
  }
}
