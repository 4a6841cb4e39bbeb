import { append } from "@coxswain/apimachinery/append";
import type { Leaf, SortedMap } from "../sorted-map/index.js";
import type { Writer } from "./environment.js";
import { checksumOf, encodeBlock } from "./index-block.js";
import type { LogEntry } from "./log-record.js";
import type { MaintenanceStep, MaintenanceTask } from "./maintenance-task.js";
import { addSum, noSums, type StoreMeta } from "./store-meta.js";

const leavesPerStep = 4;

export interface Visible {
  readonly index: SortedMap<LogEntry>;
  readonly revision: number;
}

interface WrittenBlock {
  readonly block: number;
  readonly checksum: number;
}

export interface WrittenLeaf extends WrittenBlock {
  readonly leaf: Leaf<LogEntry>;
}

/**
 * Writes the index to disk from time to time, so that opening need not read the whole log. The index is immutable: the
 * checkpoint is that of one revision however many commits it takes, and only leaves that are new since the last one are written.
 */
export class IndexCheckpoint implements MaintenanceTask {
  /** Which block a leaf lies in. */
  readonly #blockOf = new WeakMap<Leaf<LogEntry>, WrittenBlock>();
  /** Blocks on disk: those of the finished checkpoint, and leftovers of one that was never finished. */
  #onDisk: Set<number>;
  #nextBlock: number;
  #running: { readonly revision: number; readonly leaves: readonly Leaf<LogEntry>[]; written: number } | undefined;
  #written: WrittenLeaf[] = [];

  /** `lastBlock`: a number up to this one may have been another block's, and is not used again. */
  constructor(loaded: readonly WrittenLeaf[], leftovers: readonly number[], lastBlock: number) {
    for (const { leaf, block, checksum } of loaded) this.#blockOf.set(leaf, { block, checksum });
    this.#onDisk = new Set([...loaded.map(({ block }) => block), ...leftovers]);
    this.#nextBlock = lastBlock + 1;
    for (const block of this.#onDisk) this.#nextBlock = Math.max(this.#nextBlock, block + 1);
  }

  /** Begins one, unless one is under way: then that is finished first. */
  begin({ index, revision }: Visible): void {
    this.#running ??= { revision, leaves: [...index.leavesOf()].map(({ leaf }) => leaf), written: 0 };
  }

  get running(): boolean {
    return this.#running !== undefined;
  }

  /** Not before everything it points to is in the file. */
  due(_meta: StoreMeta, reached: number): boolean {
    return this.#running !== undefined && this.#running.revision <= reached;
  }

  step(writer: Writer): MaintenanceStep {
    const running = this.#running;
    if (running === undefined) throw new Error("no checkpoint is under way");
    const fresh: WrittenLeaf[] = [];
    let reached = running.written;
    let next = this.#nextBlock;
    for (; reached < running.leaves.length && fresh.length < leavesPerStep; reached++) {
      const leaf = running.leaves[reached]!;
      if (this.#blockOf.has(leaf)) continue;
      const bytes = encodeBlock(leaf, next);
      writer.putBlock(next, bytes);
      fresh.push({ leaf, block: next++, checksum: checksumOf(bytes) });
    }
    const note = (): void => {
      this.#nextBlock = next;
      append(this.#written, fresh);
      for (const { block } of fresh) this.#onDisk.add(block);
      running.written = reached;
    };
    if (reached < running.leaves.length) return { changes: {}, done: note };
    const kept: WrittenBlock[] = [...this.#written, ...fresh];
    for (const leaf of running.leaves) {
      const block = this.#blockOf.get(leaf);
      if (block !== undefined) kept.push(block);
    }
    const keep = new Set(kept.map(({ block }) => block));
    const blocks = kept.reduce((sums, { checksum }) => addSum(sums, checksum), noSums);
    const old = [...this.#onDisk].filter((block) => !keep.has(block));
    for (const block of old) writer.removeBlock(block);
    return {
      changes: { checkpoint: running.revision, lastBlock: next - 1, blocks },
      done: () => {
        note();
        for (const { leaf, block, checksum } of this.#written.splice(0)) this.#blockOf.set(leaf, { block, checksum });
        this.#onDisk = keep;
        this.#running = undefined;
      },
    };
  }
}
