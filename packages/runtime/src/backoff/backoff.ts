import { type Clock, systemClock } from "../clock/index.js";
import { jittered, type RandomSource, systemRandom } from "../random/index.js";

export interface BackoffOptions {
  /** The first wait, in milliseconds. */
  initialMs: number;
  /** Each wait is this many times the one before. @default 2 */
  factor?: number;
  /** Each wait is made longer by up to this share of it; later waits do not grow by it. @default 0 */
  jitter?: number;
  /** How many waits grow; the rest stay as long as the last. @default all of them */
  steps?: number;
  /** No wait grows beyond this, jitter aside. @default no limit */
  maxMs?: number;
  /** Waits begin anew when this much time passed since the first or since the last such beginning. @default never */
  resetAfterMs?: number;
  /** For `resetAfterMs`. @default the system clock */
  clock?: Clock;
  /** For `jitter`. @default the system's */
  random?: RandomSource;
}

/** Longer and longer waits. */
export interface Backoff {
  /** The next wait, in milliseconds. */
  next(): number;
  reset(): void;
}

export function createBackoff(options: BackoffOptions): Backoff {
  const {
    initialMs,
    factor = 2,
    jitter = 0,
    steps = Number.POSITIVE_INFINITY,
    maxMs = Number.POSITIVE_INFINITY,
  } = options;
  const { resetAfterMs = Number.POSITIVE_INFINITY, clock = systemClock, random = systemRandom } = options;
  let wait = initialMs;
  let growing = steps;
  let began = resetAfterMs === Number.POSITIVE_INFINITY ? 0 : clock.monotonic();
  const reset = (): void => {
    wait = initialMs;
    growing = steps;
  };
  return {
    reset,
    next() {
      if (resetAfterMs !== Number.POSITIVE_INFINITY && clock.monotonic() - began > resetAfterMs) {
        reset();
        began = clock.monotonic();
      }
      const now = jittered(wait, jitter, random);
      if (growing-- > 0) {
        if (wait * factor > maxMs) growing = 0;
        wait = Math.min(wait * factor, maxMs);
      }
      return now;
    },
  };
}
