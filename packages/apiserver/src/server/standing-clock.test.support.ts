import { type Clock, systemClock } from "@coxswain/apimachinery/clock";

/** Timers run, but it stays the same second: the order of managed fields depends on it, and recordings were made in less than one. */
export function createStandingClock(): Clock {
  const now = systemClock.now();
  return { ...systemClock, now: () => now };
}
