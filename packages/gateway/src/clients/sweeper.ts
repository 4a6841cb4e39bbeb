import type { Clock, Timer } from "@coxswain/runtime/clock";

/** Something whose time may be over. */
export interface Swept {
  /** @param now milliseconds, as `Sweeper.now` */
  sweep(now: number): void;
}

/** Milliseconds between two looks. */
const periodMs = 1000;

/**
 * Time-outs of many connections and requests by one timer: setting one of its own for each would cost a request a few percent. They are
 * late by up to a second. Without connections there is no timer.
 */
export class Sweeper {
  readonly #clock: Clock;
  readonly #swept = new Set<Swept>();
  #now = 0;
  #timer: Timer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds of a clock that moves once in a period. */
  get now(): number {
    if (!this.#timer) this.#now = this.#clock.monotonic();
    return this.#now;
  }

  add(one: Swept): void {
    this.#swept.add(one);
    if (!this.#timer) this.#start();
  }

  remove(one: Swept): void {
    this.#swept.delete(one);
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #start(): void {
    this.#now = this.#clock.monotonic();
    this.#timer = this.#clock.setTimer(periodMs, () => {
      this.#now = this.#clock.monotonic();
      for (const one of this.#swept) one.sweep(this.#now);
      this.#timer = undefined;
      if (this.#swept.size > 0) this.#start();
    });
  }
}
