import type { Clock } from "./clock.js";

/** setTimeout takes no more than 2^31-1 ms; a longer wait is made of several. */
const longestTimeout = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer(ms, fire) {
    let handle: ReturnType<typeof setTimeout>;
    const arm = (left: number): void => {
      handle = setTimeout(() => (left > longestTimeout ? arm(left - longestTimeout) : fire()), Math.min(left, longestTimeout));
      // A browser's timer is a number; only Node's can be told not to keep the process alive.
      (handle as { unref?: () => void }).unref?.();
    };
    arm(Math.max(0, ms));
    return { cancel: () => clearTimeout(handle) };
  },
};
