/** Upper limit of Retry-After, in seconds. */
const maxSeconds = 32;

/** The Retry-After of refused requests, in seconds: it grows while many are refused, as TCP's congestion control does. One for each priority level. */
export class RetryAfter {
  #history: { readonly second: number; readonly refused: number }[] = [];
  #second = 0;
  #refused = 0;
  #raisedAt = 0;
  seconds = 1;

  /** A request was refused in this second. */
  refused(second: number): void {
    if (second === this.#second) {
      this.#refused += 1;
      return;
    }
    const kept = Math.min(2 * this.seconds, maxSeconds);
    this.#history.push({ second: this.#second, refused: this.#refused });
    this.#history = this.#history.filter((past) => this.#second - past.second <= kept);
    this.#second = second;
    this.#refused = 1;
    this.#adjust(second);
  }

  /** Twice as long when three a second are refused, no more often than it takes to show; one second less when fewer than one a second are. */
  #adjust(second: number): void {
    const recent = this.#history
      .filter((past) => second - past.second <= this.seconds && past.second < second)
      .reduce((sum, past) => sum + past.refused, 0);
    if (second - this.#raisedAt >= this.seconds && recent >= 3 * this.seconds) {
      this.seconds = Math.min(2 * this.seconds, maxSeconds);
      this.#raisedAt = second;
    } else if (recent < this.seconds && this.seconds > 1) this.seconds -= 1;
  }
}
