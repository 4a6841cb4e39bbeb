/** Turns messages that are pushed into messages that are awaited, one reader at a time. */
export class MessageQueue<T> implements AsyncIterable<T> {
  #items: T[] = [];
  #end: { error?: unknown } | undefined;
  #wake: (() => void) | undefined;
  readonly #onLevel: (held: number) => void;

  /** @param onLevel called with the queue's length whenever it changes, for backpressure */
  constructor(onLevel: (held: number) => void = () => {}) {
    this.#onLevel = onLevel;
  }

  push(item: T): void {
    if (this.#end) return;
    this.#items.push(item);
    this.#onLevel(this.#items.length);
    this.#wake?.();
  }

  /** After what was pushed: ends, or throws `error`. */
  end(error?: unknown): void {
    this.#end ??= error === undefined ? {} : { error };
    this.#wake?.();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T> {
    for (;;) {
      while (this.#items.length > 0) {
        const item = this.#items.shift() as T;
        this.#onLevel(this.#items.length);
        yield item;
      }
      if (this.#end) {
        if ("error" in this.#end) throw this.#end.error;
        return;
      }
      await new Promise<void>((resolve) => (this.#wake = resolve));
      this.#wake = undefined;
    }
  }
}
