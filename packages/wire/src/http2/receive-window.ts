/** A receive window: how much the peer may send before it was consumed here (RFC 9113, section 5.2). */
export class ReceiveWindow {
  readonly #size: number;
  #left: number;
  /** Received and not yet consumed. */
  #held = 0;
  /** Consumed, but not announced by WINDOW_UPDATE yet. */
  #uncredited = 0;

  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  get held(): number {
    return this.#held;
  }

  /** @returns false when the peer exceeds the window */
  receive(bytes: number): boolean {
    this.#left -= bytes;
    this.#held += bytes;
    return this.#left >= 0;
  }

  /** So many bytes have been consumed. @returns the increment for a WINDOW_UPDATE; 0 until half of the window is consumed */
  credit(bytes: number): number {
    this.#held -= bytes;
    this.#uncredited += bytes;
    if (this.#uncredited < this.#size / 2) return 0;
    const more = this.#uncredited;
    this.#left += more;
    this.#uncredited = 0;
    return more;
  }
}

/** Of streams without a body. */
export const noReceiveWindow = new ReceiveWindow(0);
