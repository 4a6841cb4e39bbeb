/** How much the other side may send before we have taken it (RFC 9113, section 5.2). */
export class ReceiveWindow {
  readonly #size: number;
  #left: number;
  /** Came and is not yet taken. */
  #held = 0;
  /** Taken, but the other side does not know yet. */
  #unconfirmed = 0;

  constructor(size: number) {
    this.#size = size;
    this.#left = size;
  }

  get held(): number {
    return this.#held;
  }

  /** So many bytes have come. @returns false: that is more than was allowed */
  receive(bytes: number): boolean {
    this.#left -= bytes;
    this.#held += bytes;
    return this.#left >= 0;
  }

  /** So many bytes have been taken. @returns by how much to tell the other side to enlarge its window; 0: it is not worth a frame yet */
  credit(bytes: number): number {
    this.#held -= bytes;
    this.#unconfirmed += bytes;
    if (this.#unconfirmed < this.#size / 2) return 0;
    const more = this.#unconfirmed;
    this.#left += more;
    this.#unconfirmed = 0;
    return more;
  }
}
