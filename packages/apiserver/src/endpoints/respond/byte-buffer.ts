import type { ByteSink } from "../../request/form.js";

/** A growing buffer. Two are used in turn: what was taken stays as it is until the one after the next is taken. */
export class ByteBuffer implements ByteSink {
  #buffer: Buffer;
  #spare: Buffer | undefined;
  used = 0;

  constructor(size = 64 << 10) {
    this.#buffer = Buffer.allocUnsafe(size);
  }

  /** Of the larger of the two. */
  get size(): number {
    return Math.max(this.#buffer.length, this.#spare?.length ?? 0);
  }

  append(bytes: Uint8Array, start = 0, end = bytes.length): void {
    const length = end - start;
    if (this.used + length > this.#buffer.length) this.#grow(this.used + length);
    // Commas and braces, two for each item: not worth a call of `set`.
    if (length === 1) this.#buffer[this.used] = bytes[start] as number;
    else this.#buffer.set(start === 0 && end === bytes.length ? bytes : bytes.subarray(start, end), this.used);
    this.used += length;
  }

  appendText(text: string): void {
    const most = this.used + text.length * 3;
    if (most > this.#buffer.length) this.#grow(most);
    this.used += this.#buffer.write(text, this.used);
  }

  take(): Uint8Array {
    const full = this.#buffer.subarray(0, this.used);
    const next = this.#spare ?? Buffer.allocUnsafe(this.#buffer.length);
    this.#spare = this.#buffer;
    this.#buffer = next;
    this.used = 0;
    return full;
  }

  /** Forgets what is in it, to be used again: nobody may have what was taken any more. */
  clear(): void {
    this.used = 0;
  }

  /** What is in it: nothing may be added until it is cleared. */
  last(): Uint8Array {
    return this.#buffer.subarray(0, this.used);
  }

  /** A copy of what is in it, for good; the buffer is empty afterwards. */
  copy(): Uint8Array {
    const bytes = Uint8Array.prototype.slice.call(this.#buffer, 0, this.used);
    this.used = 0;
    return bytes;
  }

  #grow(wanted: number): void {
    let length = this.#buffer.length;
    while (length < wanted) length *= 2;
    const larger = Buffer.allocUnsafe(length);
    larger.set(this.#buffer.subarray(0, this.used));
    this.#buffer = larger;
  }
}
