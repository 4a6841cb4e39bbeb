import type { Clock } from "@coxswain/apimachinery/clock";

/** The largest number of requests at once, in this second and the last: what a gauge read at a random moment would miss. */
export class Watermark {
  readonly #clock: Pick<Clock, "monotonic">;
  #now = 0;
  #second = 0;
  #highest = 0;
  #before = 0;

  constructor(clock: Pick<Clock, "monotonic">) {
    this.#clock = clock;
  }

  add(amount: number): void {
    this.#turn();
    this.#now += amount;
    if (this.#now > this.#highest) this.#highest = this.#now;
  }

  get current(): number {
    return this.#now;
  }

  get highest(): number {
    this.#turn();
    return Math.max(this.#highest, this.#before);
  }

  #turn(): void {
    const second = Math.floor(this.#clock.monotonic() / 1000);
    if (second === this.#second) return;
    this.#before = second === this.#second + 1 ? this.#highest : this.#now;
    this.#highest = this.#now;
    this.#second = second;
  }
}
