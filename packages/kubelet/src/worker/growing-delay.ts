/** Of syncs that fail: upstream's back-off of pod workers begins at 10 s; it grows here, so that a broken pod costs ever less. */
const delaysMs = { first: 10_000, last: 120_000 };

export class GrowingDelay {
  #delayMs = delaysMs.first;

  /** Longer each time, in milliseconds. */
  next(): number {
    const now = this.#delayMs;
    this.#delayMs = Math.min(now * 2, delaysMs.last);
    return now;
  }

  reset(): void {
    this.#delayMs = delaysMs.first;
  }
}
