import type { BlockFacts } from "./block.js";
import type { ChronicleChange } from "./chronicle.js";
import { maxEntryBytes, writeEntry } from "./entry.js";
import { addHashes } from "./key-hashes.js";

/** Entries of a block, before it is deflated. A larger block deflates little better, and a reader of one entry inflates all of it. */
const blockBytes = 64 * 1024;

/** A block that is ready to be written; readers take it from here until it is. */
export interface RawBlock {
  readonly facts: BlockFacts;
  readonly raw: Buffer;
}

/** Gathers entries into a block. */
export class BlockBuilder {
  readonly #kind: "changes" | "keyframe";
  #bytes = Buffer.allocUnsafeSlow(blockBytes);
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
    return { facts: this.#facts(upTo, false), raw: this.#bytes.subarray(0, this.#length) };
  }

  /** The block; the builder begins another. `upTo` and `isEnd` as in `BlockFacts`. */
  take(upTo: number, isEnd = false): RawBlock {
    const block = { facts: this.#facts(upTo, isEnd), raw: this.#bytes.subarray(0, this.#length) };
    this.#bytes = Buffer.allocUnsafeSlow(blockBytes);
    this.#length = this.#count = this.#firstRevision = this.#lastRevision = this.#firstTime = this.#lastTime = 0;
    this.#hashes = new Set();
    return block;
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
