import type { BlockPlace } from "./block.js";
import { type Entry, readEntries, readEntriesOf } from "./entry.js";
import type { Segment } from "./segment.js";

/** Inflated blocks that are kept: changes that follow each other are asked for one after the other, and many blocks have one base. */
const keptBytes = 4 * 1024 * 1024;

interface Kept {
  readonly raw: Promise<Buffer>;
  readonly bytes: number;
  entries?: readonly Entry[];
}

/** Reads blocks, and keeps the last ones. */
export class BlockCache {
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;

  async entries(segment: Segment, block: BlockPlace): Promise<readonly Entry[]> {
    const kept = this.#keep(segment, block);
    const raw = await kept.raw;
    return (kept.entries ??= readEntries(raw));
  }

  /** Those of one key, where the others are of no use. */
  async entriesOf(segment: Segment, block: BlockPlace, key: Buffer): Promise<readonly Entry[]> {
    return readEntriesOf(await this.#keep(segment, block).raw, key);
  }

  #keep(segment: Segment, block: BlockPlace): Kept {
    const name = `${segment.number} ${block.offset}`;
    let kept = this.#kept.get(name);
    if (kept) this.#kept.delete(name);
    else {
      kept = { raw: segment.inflate(block, (base) => this.#keep(segment, base).raw), bytes: block.rawBytes };
      this.#bytes += kept.bytes;
      const made = kept;
      kept.raw.catch(() => this.#forget(name, made)); // the caller gets the error
    }
    this.#kept.set(name, kept);
    for (const [oldest, each] of this.#kept) {
      if (this.#bytes <= keptBytes) break;
      this.#forget(oldest, each);
    }
    return kept;
  }

  #forget(name: string, kept: Kept): void {
    if (this.#kept.get(name) !== kept) return;
    this.#kept.delete(name);
    this.#bytes -= kept.bytes;
  }
}
