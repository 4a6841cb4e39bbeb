import { type Runtime, systemRuntime } from "@coxswain/runtime";
import type { RateLimitingQueue } from "./rate-limiting-queue.js";

/** What becomes of an item after it was worked on without an error. */
export type WorkResult = void | {
  /** Work on it again after so many milliseconds. */
  readonly requeueAfterMs: number;
};

export interface RunWorkersOptions<T> {
  queue: RateLimitingQueue<T>;
  /**
   * Brings the world in line with one item. It reads the state as it is now, not as it was when the item was added, and never
   * sleeps: to look again later it returns `requeueAfterMs`. An error is reported and the item comes again, later each time.
   */
  work: (item: T, signal: AbortSignal) => WorkResult | Promise<WorkResult>;
  /** How many items are worked on at the same time. @default 1 */
  workers?: number;
  /** Shuts the queue down; what is being worked on is finished. */
  signal: AbortSignal;
  onError?: (error: unknown, item: T) => void;
  /** @default systemRuntime() */
  runtime?: Runtime;
}

/** What working on an item costs that waits for nothing but what is at hand. */
const microsPerItem = 300;

/** Works on the items of a queue until the signal aborts; resolves once the last worker has finished. */
export async function runWorkers<T>(options: RunWorkersOptions<T>): Promise<void> {
  const { queue, work, workers = 1, signal, onError = () => {} } = options;
  const { scheduler, activity } = options.runtime ?? systemRuntime();

  async function workOn(item: T): Promise<void> {
    try {
      const around = activity.trace?.around;
      const result = await (around ? around(queue.name, item, () => work(item, signal)) : work(item, signal));
      queue.forget(item);
      if (result !== undefined) queue.addAfter(item, result.requeueAfterMs);
    } catch (error) {
      onError(error, item);
      queue.addRateLimited(item);
    } finally {
      queue.done(item);
    }
  }
  // One listener for all workers: Node warns of more than ten on a signal.
  const end = (): void => queue.shutDown();
  signal.addEventListener("abort", end, { once: true });
  const next = async (): Promise<T | undefined> => (signal.aborted ? undefined : queue.get());
  async function runWorker(): Promise<void> {
    for (let item = await next(); item !== undefined; item = await next()) {
      await workOn(item);
      // Work that never waits would keep sockets and timers from their turn.
      const pause = scheduler.yield(microsPerItem);
      if (pause) await pause;
    }
  }
  await Promise.all(Array.from({ length: workers }, runWorker));
  signal.removeEventListener("abort", end);
  queue.shutDown();
}
