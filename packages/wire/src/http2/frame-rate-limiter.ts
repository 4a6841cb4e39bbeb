import type { Clock } from "@coxswain/runtime/clock";

/** Frames at once, and frames per second after that. */
const burst = 1000;
const perSecond = 100;

/**
 * A token bucket for frames of one kind on one connection that cost the server more than the client. RST_STREAM: rapid reset
 * (CVE-2023-44487) opens and cancels streams faster than their work can be undone; clients that cancel watches and lists stay far
 * below it. DATA without data: flow control does not count it (CVE-2019-9518); clients send one at the end of a body at most.
 */
export class FrameRateLimiter {
  readonly #clock: Clock;
  #tokens = burst;
  #refilledMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether one more is within the limit. */
  allow(): boolean {
    const now = this.#clock.monotonic();
    this.#tokens = Math.min(burst, this.#tokens + ((now - this.#refilledMs) / 1000) * perSecond) - 1;
    this.#refilledMs = now;
    return this.#tokens >= 0;
  }
}
