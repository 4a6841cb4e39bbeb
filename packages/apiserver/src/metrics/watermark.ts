import type { Clock } from "@coxswain/runtime/clock";

/** The largest number of requests at once, in this second and the last: what a gauge read at a random moment would miss. */
export class Watermark {
  readonly #clock: Pick<Clock, "monotonic">;
  #now = 0;
  #second = 0;
  #highest = 0;
  #before = 0;
  #lastMs: number;
  /** Called before the number changes, with how long it had its value. */
  onPassed: ((ms: number, current: number) => void) | undefined = undefined;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
    this.#lastMs = clock.monotonic();
  }

  add(amount: number): void {
    this.#turn();
    this.#now += amount;
    if (this.#now > this.#highest) this.#highest = this.#now;
  }

  /** Brings what is measured over time up to now. */
  catchUp(): void {
    this.#turn();
  }

  get current(): number {
    return this.#now;
  }

  get highest(): number {
    this.#turn();
    return Math.max(this.#highest, this.#before);
  }

  #turn(): void {
    const now = this.#clock.monotonic();
    if (this.onPassed && now > this.#lastMs) this.onPassed(now - this.#lastMs, this.#now);
    this.#lastMs = now;
    const second = Math.floor(now / 1000);
    if (second === this.#second) return;
    this.#before = second === this.#second + 1 ? this.#highest : this.#now;
    this.#highest = this.#now;
    this.#second = second;
  }
}
