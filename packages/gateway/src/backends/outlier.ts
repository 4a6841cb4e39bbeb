import type { Clock } from "@coxswain/runtime/clock";

/** Failures in a row after which an endpoint gets no requests for a while; Envoy's number. HTTP statuses are no failures: they are answers. */
const failuresInRow = 5;
/** Milliseconds; the second time it is twice as long, and so on. */
const firstEjectionMs = 10_000;
const longestEjectionMs = 300_000;

/** Whether an endpoint failed so often that requests go to others. */
export class Outlier {
  readonly #clock: Clock;
  #failures = 0;
  #ejections = 0;
  #until = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  succeeded(): void {
    this.#failures = 0;
    if (this.#ejections > 0 && !this.isEjected) this.#ejections -= 1;
  }

  failed(): void {
    this.#failures += 1;
    if (this.#failures < failuresInRow || this.isEjected) return;
    this.#failures = 0;
    this.#until = this.#clock.now() + Math.min(firstEjectionMs * 2 ** this.#ejections, longestEjectionMs);
    this.#ejections += 1;
  }

  get isEjected(): boolean {
    return this.#until > 0 && this.#clock.now() < this.#until;
  }

  /** There is nothing to remember. */
  get isForgotten(): boolean {
    return this.#failures === 0 && !this.isEjected;
  }
}
