import { getOwn } from "@coxswain/apimachinery/own";
import type { NodeInfo } from "../../cache/node-info.js";

const none: ReadonlyMap<string, number> = new Map();

/** How many pods match in each topology domain: by the label's key, then by its value. */
export class TopologyCounts {
  readonly #counts = new Map<string, Map<string, number>>();
  #size = 0;

  /** How many domains have a count. */
  get size(): number {
    return this.#size;
  }

  /** The keys of labels that have domains with a count. */
  keys(): IterableIterator<string> {
    return this.#counts.keys();
  }

  /** The counts of one label, by its value. */
  ofKey(key: string): ReadonlyMap<string, number> {
    return this.#counts.get(key) ?? none;
  }

  get(key: string, value: string): number {
    return this.#counts.get(key)?.get(value) ?? 0;
  }

  /** In the domain of a node; nodes without the label are in none. */
  add(node: NodeInfo, key: string, by: number): void {
    const value = getOwn(node.labels, key);
    if (value !== undefined) this.addTo(key, value, by);
  }

  addAll(other: TopologyCounts): void {
    for (const [key, values] of other.#counts) for (const [value, count] of values) this.addTo(key, value, count);
  }

  addTo(key: string, value: string, by: number): void {
    let values = this.#counts.get(key);
    if (values === undefined) this.#counts.set(key, (values = new Map()));
    const before = values.get(value);
    const after = (before ?? 0) + by;
    if (after === 0) {
      if (before === undefined) return;
      this.#size--;
      values.delete(value);
      if (values.size === 0) this.#counts.delete(key);
      return;
    }
    if (before === undefined) this.#size++;
    values.set(value, after);
  }

  copy(): TopologyCounts {
    const copy = new TopologyCounts();
    for (const [key, values] of this.#counts) copy.#counts.set(key, new Map(values));
    copy.#size = this.#size;
    return copy;
  }
}
