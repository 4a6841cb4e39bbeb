import type { Clock } from "../clock/index.js";
import { type RandomSource, systemRandom } from "../random/index.js";

export interface KeyedBackoffOptions {
  /** The first wait of a key, in milliseconds. */
  initialMs: number;
  /** The longest wait. */
  maxMs: number;
  /** Each wait is made longer by up to this share of the one before. @default 0 */
  jitter?: number;
  /** A key that was quiet for so long begins anew. @default twice `maxMs` */
  expireMs?: number;
  clock: Clock;
  /** @default the system's */
  random?: RandomSource;
}

/** Waits per key that are remembered and asked about later: restarts of containers, pulls of images. Times are `clock.now()`. */
export interface KeyedBackoff {
  /** Doubles the key's wait; `at` is when the thing happened. */
  next(key: string, at: number): void;
  /** The current wait in milliseconds; zero where there is none. */
  get(key: string): number;
  /** Whether less time than the wait passed since `at`. */
  isInBackoffSince(key: string, at: number): boolean;
  /** Whether, at `at`, less time than the wait had passed since the last `next`. */
  isInBackoffSinceUpdate(key: string, at: number): boolean;
  reset(key: string): void;
  /** Forgets keys that have been quiet for long. Nobody else does: call it now and then. */
  collect(): void;
}

export function createKeyedBackoff(options: KeyedBackoffOptions): KeyedBackoff {
  const { initialMs, maxMs, jitter = 0, expireMs = 2 * maxMs, clock, random = systemRandom } = options;
  const entries = new Map<string, { waitMs: number; updatedAt: number }>();
  const extra = (ms: number): number => (jitter > 0 ? random.next() * jitter * ms : 0);
  const live = (key: string, at: number): { waitMs: number; updatedAt: number } | undefined => {
    const entry = entries.get(key);
    return entry && at - entry.updatedAt <= expireMs ? entry : undefined;
  };
  return {
    next(key, at) {
      const entry = live(key, at);
      const waitMs = entry ? Math.min(entry.waitMs * 2 + extra(entry.waitMs), maxMs) : initialMs + extra(initialMs);
      entries.set(key, { waitMs, updatedAt: clock.now() });
    },
    get: (key) => entries.get(key)?.waitMs ?? 0,
    isInBackoffSince(key, at) {
      const entry = live(key, at);
      return entry !== undefined && clock.now() - at < entry.waitMs;
    },
    isInBackoffSinceUpdate(key, at) {
      const entry = live(key, at);
      return entry !== undefined && at - entry.updatedAt < entry.waitMs;
    },
    reset: (key) => void entries.delete(key),
    collect() {
      const now = clock.now();
      for (const [key, { updatedAt }] of entries) if (now - updatedAt > expireMs) entries.delete(key);
    },
  };
}
