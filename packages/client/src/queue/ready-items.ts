/** The order in which items that may be worked on are handed out. */
export interface ReadyItems<T> {
  push(item: T): void;
  /** The item was added again while it waits. */
  touch(item: T): void;
  pop(): T | undefined;
  readonly size: number;
}

/** First in, first out. */
export function createFifoItems<T>(): ReadyItems<T> {
  let items: T[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    touch() {},
    pop() {
      if (head === items.length) return undefined;
      const item = items[head++];
      // Amortised: each item is copied at most once.
      if (head > 64 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return item;
    },
    get size() {
      return items.length - head;
    },
  };
}
