import { type Clock, systemClock } from "@coxswain/runtime/clock";

/** Any moment will do. It is the same on every day, so that no test depends on when it is run. */
const moment = Date.UTC(2026, 10, 16, 12);

/** Timers run, but it stays the same moment: the order of managed fields depends on it, and nothing is forgotten for being old, however long a test takes. */
export function createStandingClock(): Clock {
  return { ...systemClock, now: () => moment, monotonic: () => 0 };
}
