import type { Clock, Timer } from "./clock.js";

/** setTimeout takes no more than 2^31-1 ms; a longer wait is made of several. */
const longestTimeout = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimer: (ms, fire) => new SystemTimer(ms, fire),
};

/** Every request has some: it is one object. */
class SystemTimer implements Timer {
  #handle: ReturnType<typeof setTimeout>;

  constructor(ms: number, fire: () => void) {
    this.#handle = this.#arm(Math.max(0, ms), fire);
  }

  cancel(): void {
    clearTimeout(this.#handle);
  }

  #arm(ms: number, fire: () => void): ReturnType<typeof setTimeout> {
    const handle =
      ms <= longestTimeout
        ? setTimeout(fire, ms)
        : setTimeout(() => (this.#handle = this.#arm(ms - longestTimeout, fire)), longestTimeout);
    // A browser's timer is a number; only Node's can be set not to keep the process alive.
    (handle as { unref?: () => void }).unref?.();
    return handle;
  }
}
