export interface BatchQueueOptions {
  /** Only its reader ends it: see WatchStream. @default false */
  readonly isEndless?: boolean;
  /** More waits than `maxItems`: the source should stop reading. */
  readonly onFull?: () => void;
  /** There is room again. */
  readonly onRoom?: () => void;
  /** The reader wants no more. Called once, and not after `end`. */
  readonly onStop?: () => void;
  /** @default 1000 */
  readonly maxItems?: number;
}

/**
 * Between a source that pushes and a reader that pulls: what was pushed while the reader was busy is one batch for it.
 * Iterated once. A reader that leaves the loop stops the source.
 */
export class BatchQueue<T> implements AsyncIterable<readonly T[]>, AsyncIterator<readonly T[]> {
  readonly #options: BatchQueueOptions;
  readonly #most: number;
  readonly isEndless: boolean;
  #waiting: T[] = [];
  #full = false;
  #ended = false;
  #error: unknown;
  #reader: { resolve(result: IteratorResult<readonly T[]>): void; reject(error: unknown): void } | undefined;

  constructor(options: BatchQueueOptions = {}) {
    this.#options = options;
    this.isEndless = options.isEndless ?? false;
    this.#most = options.maxItems ?? 1000;
  }

  /** Whether nothing more can be pushed. */
  get ended(): boolean {
    return this.#ended;
  }

  push(items: readonly T[]): void {
    if (this.#ended || items.length === 0) return;
    if (this.#reader) {
      const reader = this.#reader;
      this.#reader = undefined;
      reader.resolve({ done: false, value: items });
      return;
    }
    if (this.#waiting.length === 0) this.#waiting = items as T[];
    else this.#waiting = this.#waiting.concat(items);
    if (this.#waiting.length <= this.#most || this.#full) return;
    this.#full = true;
    this.#options.onFull?.();
  }

  /** No more comes. What waits is still read first; then the iteration ends, or throws `error`. */
  end(error?: unknown): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#error = error;
    const reader = this.#reader;
    this.#reader = undefined;
    if (reader === undefined) return;
    if (error === undefined) reader.resolve({ done: true, value: undefined });
    else {
      this.#error = undefined;
      reader.reject(error);
    }
  }

  /** Ends it from the reader's side: what waits is dropped, the iteration ends without an error. */
  stop(): void {
    this.#waiting = [];
    this.#error = undefined;
    if (this.#ended) return;
    this.end();
    this.#options.onStop?.();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<readonly T[]>> {
    if (this.#waiting.length > 0) {
      const value = this.#waiting;
      this.#waiting = [];
      if (this.#full) {
        this.#full = false;
        if (!this.#ended) this.#options.onRoom?.();
      }
      return Promise.resolve({ done: false, value });
    }
    if (this.#ended) {
      const error = this.#error;
      this.#error = undefined;
      return error === undefined ? Promise.resolve({ done: true, value: undefined }) : Promise.reject(error);
    }
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
    });
  }

  return(): Promise<IteratorResult<readonly T[]>> {
    this.stop();
    return Promise.resolve({ done: true, value: undefined });
  }
}
