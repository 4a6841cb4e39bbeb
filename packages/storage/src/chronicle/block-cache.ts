import { type BlockPlace, inflateBlock } from "./block.js";
import { type Entry, readEntries } from "./entry.js";
import type { Segment } from "./segment.js";

/** Inflated blocks that are kept: changes that follow each other are asked for one after the other. */
const keptBytes = 4 * 1024 * 1024;

/** Reads blocks, and keeps the last ones. */
export class BlockCache {
  readonly #kept = new Map<string, { readonly entries: readonly Entry[]; readonly bytes: number }>();
  #bytes = 0;

  async entries(segment: Segment, block: BlockPlace): Promise<readonly Entry[]> {
    const name = `${segment.number} ${block.offset}`;
    const known = this.#kept.get(name);
    if (known) {
      this.#kept.delete(name);
      this.#kept.set(name, known);
      return known.entries;
    }
    const raw = inflateBlock(block, await segment.read(block));
    const entries = readEntries(raw);
    this.#kept.set(name, { entries, bytes: raw.length });
    this.#bytes += raw.length;
    for (const [oldest, { bytes }] of this.#kept) {
      if (this.#bytes <= keptBytes) break;
      this.#kept.delete(oldest);
      this.#bytes -= bytes;
    }
    return entries;
  }
}
