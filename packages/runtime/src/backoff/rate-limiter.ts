import { type Clock, systemClock } from "../clock/index.js";
import { createTokenBucket } from "./token-bucket.js";

/** Returns how long an item must wait before it is tried again. */
export interface RateLimiter<T> {
  /** The wait in milliseconds; asking counts as one more try. */
  when(item: T): number;
  /** The item is done, by success or by giving up. */
  forget(item: T): void;
  /** How often it was tried so far. */
  retries(item: T): number;
}

/** Waits that double with each failure of an item. */
export function createItemBackoff<T>({
  baseMs = 5,
  maxMs = 1_000_000,
}: {
  baseMs?: number;
  maxMs?: number;
} = {}): RateLimiter<T> {
  const failures = createCounter<T>();
  return { ...failures, when: (item) => Math.min(baseMs * 2 ** (failures.count(item) - 1), maxMs) };
}

/** Short waits for the first tries, long ones after. */
export function createFastSlowLimiter<T>(options: {
  fastMs: number;
  slowMs: number;
  fastTries: number;
}): RateLimiter<T> {
  const failures = createCounter<T>();
  return { ...failures, when: (item) => (failures.count(item) <= options.fastTries ? options.fastMs : options.slowMs) };
}

function createCounter<T>(): Omit<RateLimiter<T>, "when"> & { count(item: T): number } {
  const tries = new Map<T, number>();
  return {
    count(item) {
      const count = (tries.get(item) ?? 0) + 1;
      tries.set(item, count);
      return count;
    },
    forget: (item) => void tries.delete(item),
    retries: (item) => tries.get(item) ?? 0,
  };
}

/** All items share one bucket. */
export function createBucketLimiter<T>(options: { perSecond: number; burst: number; clock?: Clock }): RateLimiter<T> {
  const bucket = createTokenBucket(options);
  return { when: () => bucket.reserve(), forget: () => {}, retries: () => 0 };
}

/** The longest wait of all. */
export const maxOfLimiters = <T>(...limiters: readonly RateLimiter<T>[]): RateLimiter<T> => ({
  when: (item) => limiters.reduce((longest, limiter) => Math.max(longest, limiter.when(item)), 0),
  forget: (item) => {
    for (const limiter of limiters) limiter.forget(item);
  },
  retries: (item) => limiters.reduce((most, limiter) => Math.max(most, limiter.retries(item)), 0),
});

/** What controllers use upstream: 5 ms doubling to 1,000 s per item; ten a second, a hundred at once, for all. */
export const createControllerLimiter = <T>({ clock = systemClock }: { clock?: Clock } = {}): RateLimiter<T> =>
  maxOfLimiters(createItemBackoff<T>(), createBucketLimiter<T>({ perSecond: 10, burst: 100, clock }));
