import type { NodeInfo } from "./node-info.js";

/** Something that is summed up over all nodes. `add` takes a node in, or out again with a sign of -1; in any order. */
export interface Aggregation<T> {
  create(): T;
  add(sum: T, node: NodeInfo, sign: 1 | -1): void;
}

/**
 * Sums over all nodes that are kept from one pod to the next: between two pods only a few nodes change, and only those are taken
 * out and in again. Without it, spreading the pods of one Deployment over 5,000 nodes took most of the scheduler's time.
 */
export class Aggregates {
  readonly #kept = new Map<string, { readonly sum: unknown; seen: number }>();
  /** Nodes that were replaced, as pairs of before and after. */
  #changes: { readonly before: NodeInfo; readonly after: NodeInfo }[] = [];
  /** How many changes came before those that are kept. */
  #forgotten = 0;

  /** One of `nodeCount` nodes is another one now. */
  changed(before: NodeInfo, after: NodeInfo, nodeCount: number): void {
    if (this.#kept.size === 0) return;
    this.#changes.push({ before, after });
    // A sum that so many changes have passed by is made anew with less work than it would be brought up to date with. Each change
    // holds two nodes with their pods as they were: on few nodes a longer list held every pod of the last hours.
    const limit = Math.max(minChanges, Math.min(nodeCount, maxChanges));
    if (this.#changes.length > limit) this.#forget(limit >> 1);
  }

  #forget(count: number): void {
    this.#forgotten += count;
    this.#changes = this.#changes.slice(count);
    for (const [key, { seen }] of this.#kept) if (seen < this.#forgotten) this.#kept.delete(key);
    if (this.#kept.size === 0) this.clear();
  }

  /** All nodes changed. */
  clear(): void {
    this.#kept.clear();
    this.#changes = [];
    this.#forgotten = 0;
  }

  /** The sum, to be read until a node changes, and never to be changed. `key` stands for the aggregation. */
  get<T>(key: string, aggregation: Aggregation<T>, nodes: readonly NodeInfo[]): T {
    const now = this.#forgotten + this.#changes.length;
    const known = this.#kept.get(key);
    if (known) {
      const sum = known.sum as T;
      for (let at = known.seen - this.#forgotten; at < this.#changes.length; at++) {
        const { before, after } = this.#changes[at] as { before: NodeInfo; after: NodeInfo };
        aggregation.add(sum, before, -1);
        aggregation.add(sum, after, 1);
      }
      known.seen = now;
      return sum;
    }
    const sum = aggregation.create();
    for (const node of nodes) aggregation.add(sum, node, 1);
    this.#kept.set(key, { sum, seen: now });
    if (this.#kept.size > maxKept) for (const oldest of this.#kept.keys()) if (this.#kept.delete(oldest)) break;
    return sum;
  }
}

const minChanges = 16;
const maxChanges = 4096;
/** One for each Deployment that is being scaled, and a few more. */
const maxKept = 256;
