import type { Clock } from "../clock.js";

const mostAtOnce = 1000;
const perSecond = 100;

/** Clients may give up on requests; one that does nothing else only makes work. */
export class Patience {
  readonly #clock: Clock;
  #left = mostAtOnce;
  #since = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Once more? */
  bears(): boolean {
    const now = this.#clock.monotonic();
    this.#left = Math.min(mostAtOnce, this.#left + ((now - this.#since) / 1000) * perSecond) - 1;
    this.#since = now;
    return this.#left >= 0;
  }
}
