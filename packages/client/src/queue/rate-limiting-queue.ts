import type { RateLimiter } from "@coxswain/runtime/backoff";
import { createControllerLimiter } from "@coxswain/runtime/backoff";
import { type DelayingQueue, DelayingWorkQueue } from "./delaying-queue.js";
import type { ReadyItems } from "./ready-items.js";
import type { WorkQueueOptions } from "./work-queue.js";

/** A work queue for retries: each failure of an item makes it wait longer. */
export interface RateLimitingQueue<T> extends DelayingQueue<T> {
  /** Adds the item when the limiter allows it. */
  addRateLimited(item: T): void;
  /** The item is done with: its next failure counts as the first. Does not take it from the queue. */
  forget(item: T): void;
  /** How often it was added with a limit since it was last forgotten. */
  retries(item: T): number;
}

export interface RateLimitingQueueOptions<T> extends WorkQueueOptions {
  /** @default 5 ms doubling to 1,000 s per item; ten a second, a hundred at once, for all items together */
  rateLimiter?: RateLimiter<T>;
}

/** @internal */
export class RateLimitingWorkQueue<T> extends DelayingWorkQueue<T> implements RateLimitingQueue<T> {
  readonly #limiter: RateLimiter<T>;

  constructor(options: RateLimitingQueueOptions<T> = {}, ready?: ReadyItems<T>) {
    super(options, ready);
    this.#limiter = options.rateLimiter ?? createControllerLimiter<T>({ clock: this.clock });
  }

  addRateLimited(item: T): void {
    this.trace?.retried(this.name, item);
    this.addAfter(item, this.#limiter.when(item));
  }

  forget(item: T): void {
    this.#limiter.forget(item);
  }

  retries(item: T): number {
    return this.#limiter.retries(item);
  }

  /** How long the limiter makes the item wait this time. */
  protected limit(item: T): number {
    return this.#limiter.when(item);
  }
}

export const createRateLimitingQueue = <T>(options?: RateLimitingQueueOptions<T>): RateLimitingQueue<T> =>
  new RateLimitingWorkQueue<T>(options);
