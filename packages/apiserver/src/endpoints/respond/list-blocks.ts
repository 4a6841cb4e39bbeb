import type { Scheduler } from "@coxswain/runtime/scheduler";
import type { Leaf } from "@coxswain/storage/sorted-map";
import type { CacheEntry } from "../../cache/cache-entry.js";
import type { ListAnswer } from "../../request/answer.js";
import type { ListText } from "../../request/form.js";
import { ByteBuffer } from "./byte-buffer.js";

/** So many entries make a block where the list is not of whole leaves. */
const blockEntries = 64;

/** A few items of a list in a row. */
export interface Block {
  readonly entries: readonly CacheEntry[];
  readonly from: number;
  readonly to: number;
  /** The block is all of this leaf: what is made of it may be kept for as long as the leaf lives. */
  readonly leaf: Leaf<CacheEntry> | undefined;
}

export function blocksOf({ leaves, entries }: ListAnswer): Block[] {
  if (leaves)
    return leaves.map(({ leaf, from, to, whole }) => ({
      entries: leaf.values,
      from,
      to,
      leaf: whole ? leaf : undefined,
    }));
  const blocks: Block[] = [];
  for (let from = 0; from < entries.length; from += blockEntries)
    blocks.push({ entries, from, to: Math.min(from + blockEntries, entries.length), leaf: undefined });
  return blocks;
}

/** Things made of blocks, kept where a block is a whole leaf: a changed leaf is another leaf, so nothing is ever outdated. */
export class LeafCache<T> {
  readonly #kept = new WeakMap<Leaf<CacheEntry>, Map<string, T>>();

  find({ leaf }: Block, mark: string | undefined): T | undefined {
    return leaf && mark !== undefined ? this.#kept.get(leaf)?.get(mark) : undefined;
  }

  keep({ leaf }: Block, mark: string | undefined, made: T): void {
    if (!leaf || mark === undefined) return;
    let own = this.#kept.get(leaf);
    if (!own) this.#kept.set(leaf, (own = new Map()));
    own.set(mark, made);
  }
}

/** Of what is encoded, not copied. */
const microsPerByte = 0.02;

const encoded = new LeafCache<Uint8Array>();

/** The bytes of each block, separators between its items. Lets others run between two blocks. */
export async function* encodeBlocks(
  blocks: readonly Block[],
  text: ListText,
  scheduler: Pick<Scheduler, "yield">,
): AsyncGenerator<Uint8Array, void> {
  const buffer = new ByteBuffer();
  for (const block of blocks) {
    let bytes = encoded.find(block, text.mark);
    if (!bytes) {
      bytes = encodeBlock(block, text, buffer);
      // What has no length before it is as fast made as read again.
      if (text.sized) encoded.keep(block, text.mark, bytes);
      await scheduler.yield(bytes.length * microsPerByte);
    }
    yield bytes;
  }
}

export function encodeBlock({ entries, from, to }: Block, text: ListText, buffer: ByteBuffer): Uint8Array {
  for (let at = from; at < to; at++) {
    if (at > from) buffer.append(text.separator);
    text.item(entries[at] as CacheEntry, buffer);
  }
  return buffer.copy();
}
