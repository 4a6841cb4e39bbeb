/** Pulls of images, so many at once at the most: one with `serializeImagePulls`, else `maxParallelImagePulls` (pkg/kubelet/images/puller.go). */
export class PullQueue {
  readonly #most: number;
  readonly #waiting: (() => void)[] = [];
  #running = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** In the order of the calls. One whose signal aborts while it waits is never begun. */
  async run<T>(pull: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    if (this.#running >= this.#most) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      signal?.throwIfAborted();
      return await pull();
    } finally {
      // The place is handed over, so that nobody who comes now goes before those who wait.
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}
