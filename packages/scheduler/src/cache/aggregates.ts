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

  changed(before: NodeInfo, after: NodeInfo): void {
    if (this.#kept.size === 0) return;
    this.#changes.push({ before, after });
    if (this.#changes.length <= maxChanges) return;
    this.#forgotten += maxChanges / 2;
    this.#changes = this.#changes.slice(maxChanges / 2);
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
    if (known && known.seen >= this.#forgotten) {
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
    this.#kept.delete(key);
    this.#kept.set(key, { sum, seen: now });
    if (this.#kept.size > maxKept) for (const oldest of this.#kept.keys()) if (this.#kept.delete(oldest)) break;
    return sum;
  }
}

const maxChanges = 4096;
/** One for each Deployment that is being scaled, and a few more. */
const maxKept = 256;
