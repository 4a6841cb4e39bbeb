/** How much of the smoothed demand is left after one period without any. */
const smoothing = 0.977;

/** How many seats a priority level could have used over the last period: followed over time, so that a short burst counts little. */
export class SeatDemand {
  #lastMs: number;
  #seats = 0;
  #elapsed = 0;
  #sum = 0;
  #squares = 0;
  #highest = 0;
  /** Of the period before this one. */
  average = 0;
  deviation = 0;
  highWatermark = 0;
  smoothed = 0;

  constructor(nowMs: number) {
    this.#lastMs = nowMs;
  }

  set(seats: number, nowMs: number): void {
    this.#advance(nowMs);
    this.#seats = seats;
    if (seats > this.#highest) this.#highest = seats;
  }

  /** Ends a period and begins the next. */
  close(nowMs: number): void {
    this.#advance(nowMs);
    this.highWatermark = Math.round(this.#highest);
    this.#highest = this.#seats;
    if (this.#elapsed <= 0) return;
    this.average = this.#sum / this.#elapsed;
    this.deviation = Math.sqrt(Math.max(0, this.#squares / this.#elapsed - this.average * this.average));
    const envelope = this.average + this.deviation;
    this.smoothed = Math.max(envelope, smoothing * this.smoothed + (1 - smoothing) * envelope);
    this.#elapsed = 0;
    this.#sum = 0;
    this.#squares = 0;
  }

  /** So many periods passed without demand, and were not closed. */
  skip(periods: number, nowMs: number): void {
    this.close(nowMs);
    this.smoothed *= smoothing ** (periods - 1);
  }

  #advance(nowMs: number): void {
    const passed = nowMs - this.#lastMs;
    if (passed <= 0) return;
    this.#lastMs = nowMs;
    this.#elapsed += passed;
    this.#sum += this.#seats * passed;
    this.#squares += this.#seats * this.#seats * passed;
  }
}
