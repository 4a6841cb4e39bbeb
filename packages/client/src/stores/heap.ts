/** Items by key, the least one first. Adding a key again moves its item. */
export interface Heap<T, K = string> {
  /** Adds the item, or puts it in place of the one with the same key. */
  add(item: T): void;
  peek(): T | undefined;
  pop(): T | undefined;
  get(key: K): T | undefined;
  /** Removes the item with this key; false where there was none. */
  delete(key: K): boolean;
  readonly size: number;
  /** In no particular order. */
  list(): T[];
}

interface Slot<T, K> {
  readonly key: K;
  item: T;
  at: number;
}

/** `less` must be a strict order; items that are equal come in an order that depends on earlier calls only. */
export const createHeap = <T, K = string>(keyOf: (item: T) => K, less: (a: T, b: T) => boolean): Heap<T, K> =>
  new BinaryHeap(keyOf, less);

class BinaryHeap<T, K> implements Heap<T, K> {
  readonly #keyOf: (item: T) => K;
  readonly #less: (a: T, b: T) => boolean;
  readonly #heap: Slot<T, K>[] = [];
  readonly #slots = new Map<K, Slot<T, K>>();

  constructor(keyOf: (item: T) => K, less: (a: T, b: T) => boolean) {
    this.#keyOf = keyOf;
    this.#less = less;
  }

  get size(): number {
    return this.#heap.length;
  }

  add(item: T): void {
    const key = this.#keyOf(item);
    const existing = this.#slots.get(key);
    if (existing !== undefined) {
      existing.item = item;
      this.#up(existing);
      this.#down(existing);
      return;
    }
    const slot: Slot<T, K> = { key, item, at: this.#heap.length };
    this.#slots.set(key, slot);
    this.#heap.push(slot);
    this.#up(slot);
  }

  peek(): T | undefined {
    return this.#heap[0]?.item;
  }

  pop(): T | undefined {
    const [top] = this.#heap;
    if (top !== undefined) this.#remove(top);
    return top?.item;
  }

  get(key: K): T | undefined {
    return this.#slots.get(key)?.item;
  }

  delete(key: K): boolean {
    const slot = this.#slots.get(key);
    if (slot !== undefined) this.#remove(slot);
    return slot !== undefined;
  }

  list(): T[] {
    return this.#heap.map((slot) => slot.item);
  }

  #put(slot: Slot<T, K>, at: number): void {
    this.#heap[at] = slot;
    slot.at = at;
  }

  #up(slot: Slot<T, K>): void {
    let { at } = slot;
    while (at > 0) {
      const parent = this.#heap[(at - 1) >> 1] as Slot<T, K>;
      if (!this.#less(slot.item, parent.item)) break;
      const above = parent.at;
      this.#put(parent, at);
      at = above;
    }
    this.#put(slot, at);
  }

  #down(slot: Slot<T, K>): void {
    const heap = this.#heap;
    let { at } = slot;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && this.#less((heap[child + 1] as Slot<T, K>).item, (heap[child] as Slot<T, K>).item))
        child++;
      const below = heap[child] as Slot<T, K>;
      if (!this.#less(below.item, slot.item)) break;
      this.#put(below, at);
      at = child;
    }
    this.#put(slot, at);
  }

  #remove(slot: Slot<T, K>): void {
    this.#slots.delete(slot.key);
    const last = this.#heap.pop() as Slot<T, K>;
    if (last === slot) return;
    this.#put(last, slot.at);
    this.#up(last);
    this.#down(last);
  }
}
