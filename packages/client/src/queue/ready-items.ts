/** The order in which items that may be worked on are handed out. */
export interface ReadyItems<T> {
  push(item: T): void;
  /** The item was added again while it waits. */
  touch(item: T): void;
  /** The next item, or one of those behind it. */
  pop(skip?: number): T | undefined;
  readonly size: number;
}

/** First in, first out. */
export function createFifoItems<T>(): ReadyItems<T> {
  let items: T[] = [];
  let head = 0;
  return {
    push: (item) => void items.push(item),
    touch() {},
    pop(skip = 0) {
      if (head === items.length) return undefined;
      if (skip > 0) items = items.toSpliced(head + skip, 1).toSpliced(head, 0, items[head + skip] as T);
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
