/** Items by key, the least one first. Adding a key again moves its item. */
export interface Heap<T, K = string> {
  /** Adds the item, or puts it in place of the one with the same key. */
  add(item: T): void;
  /** Adds the item unless its key is there. */
  addIfAbsent(item: T): void;
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
export function createHeap<T, K = string>(keyOf: (item: T) => K, less: (a: T, b: T) => boolean): Heap<T, K> {
  const heap: Slot<T, K>[] = [];
  const slots = new Map<K, Slot<T, K>>();

  function put(slot: Slot<T, K>, at: number): void {
    heap[at] = slot;
    slot.at = at;
  }

  function up(slot: Slot<T, K>): void {
    let { at } = slot;
    while (at > 0) {
      const parent = heap[(at - 1) >> 1] as Slot<T, K>;
      if (!less(slot.item, parent.item)) break;
      const above = parent.at;
      put(parent, at);
      at = above;
    }
    put(slot, at);
  }

  function down(slot: Slot<T, K>): void {
    let { at } = slot;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && less((heap[child + 1] as Slot<T, K>).item, (heap[child] as Slot<T, K>).item))
        child++;
      const below = heap[child] as Slot<T, K>;
      if (!less(below.item, slot.item)) break;
      put(below, at);
      at = child;
    }
    put(slot, at);
  }

  function remove(slot: Slot<T, K>): void {
    slots.delete(slot.key);
    const last = heap.pop() as Slot<T, K>;
    if (last === slot) return;
    put(last, slot.at);
    up(last);
    down(last);
  }

  const find = (key: K): Slot<T, K> | undefined => slots.get(key);
  const self: Heap<T, K> = {
    add(item) {
      const key = keyOf(item);
      const existing = find(key);
      if (existing !== undefined) {
        existing.item = item;
        up(existing);
        down(existing);
        return;
      }
      const slot: Slot<T, K> = { key, item, at: heap.length };
      slots.set(key, slot);
      heap.push(slot);
      up(slot);
    },
    addIfAbsent(item) {
      if (!slots.has(keyOf(item))) self.add(item);
    },
    peek: () => heap[0]?.item,
    pop() {
      const [top] = heap;
      if (top !== undefined) remove(top);
      return top?.item;
    },
    get: (key) => find(key)?.item,
    delete(key) {
      const slot = find(key);
      if (slot !== undefined) remove(slot);
      return slot !== undefined;
    },
    get size() {
      return heap.length;
    },
    list: () => heap.map((slot) => slot.item),
  };
  return self;
}
