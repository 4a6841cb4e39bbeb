/**
 * Lets those who have much to compute go on one after the other, one in each iteration of the event loop, so that sockets are read
 * between two. Yielding alone does not do that: setImmediate callbacks that wait together run together.
 */
export class OnePerIteration {
  readonly #waiting: (() => void)[] = [];

  /** Resolves in an iteration of the event loop of the caller's own. */
  next(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push(resolve);
      if (this.#waiting.length === 1) setImmediate(this.#run);
    });
  }

  readonly #run = (): void => {
    const first = this.#waiting[0];
    first?.();
    // Behind what the first one does now: it is resolved by a microtask.
    queueMicrotask(() => {
      this.#waiting.shift();
      if (this.#waiting.length > 0) setImmediate(this.#run);
    });
  };
}
