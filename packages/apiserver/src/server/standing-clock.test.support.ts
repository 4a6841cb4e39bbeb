import { type Clock, systemClock } from "@coxswain/apimachinery/clock";

/** Timers run, but it stays the same moment: the order of managed fields depends on it, and nothing is forgotten for being old, however long a test takes. */
export function createStandingClock(): Clock {
  const [now, monotonic] = [systemClock.now(), systemClock.monotonic()];
  return { ...systemClock, now: () => now, monotonic: () => monotonic };
}
