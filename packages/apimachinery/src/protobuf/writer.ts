const slabSize = 16_384;
const encoder = new TextEncoder();

/**
 * Writes messages from their end to their beginning, as Go's generated code does: a length is known by the time it is written.
 *
 * Finished messages stay where they were written and the next one goes in front of them, so a message is a view of a slab that
 * others share, as with small Buffers of Node. Who keeps one for long copies it.
 */
export class Writer {
  #buffer = new Uint8Array(slabSize);
  #view = new DataView(this.#buffer.buffer);
  /** Everything from here to `#end` is written. */
  #at = slabSize;
  #end = slabSize;

  /** How much is written, as a number that goes down: the difference of two is a length. */
  get at(): number {
    return this.#at - this.#end;
  }

  finish(): Uint8Array {
    const bytes = this.#buffer.subarray(this.#at, this.#end);
    this.#end = this.#at;
    return bytes;
  }

  /** Drops what is written but not finished. */
  reset(): void {
    this.#at = this.#end;
  }

  #ensure(size: number): void {
    if (this.#at >= size) return;
    const written = this.#end - this.#at;
    const length = Math.max(slabSize, (written + size) * 2);
    const slab = new Uint8Array(length);
    slab.set(this.#buffer.subarray(this.#at, this.#end), length - written);
    this.#buffer = slab;
    this.#view = new DataView(slab.buffer);
    this.#at = length - written;
    this.#end = length;
  }

  byte(value: number): void {
    if (this.#at === 0) this.#ensure(1);
    this.#buffer[--this.#at] = value;
  }

  /** A whole number up to 2^53 that is not negative. */
  varint(value: number): void {
    if (this.#at < 10) this.#ensure(10);
    if (value < 0x80) {
      this.#buffer[--this.#at] = value;
    } else if (value < 0x4000) {
      this.#buffer[--this.#at] = value >> 7;
      this.#buffer[--this.#at] = (value & 0x7f) | 0x80;
    } else {
      this.#longVarint(value);
    }
  }

  #longVarint(value: number): void {
    let size = 3;
    for (let rest = Math.floor(value / 2_097_152); rest > 0; rest = Math.floor(rest / 128)) size++;
    let at = (this.#at -= size);
    let rest = value;
    while (rest >= 0x80) {
      this.#buffer[at++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#buffer[at] = rest;
  }

  /** An integer as Go writes an int32 or int64: a negative one takes ten bytes. */
  integer(value: number | bigint): void {
    if (typeof value === "number" && value >= 0) return this.varint(value);
    let rest = BigInt.asUintN(64, BigInt(value));
    const bytes: number[] = [];
    while (rest >= 0x80n) {
      bytes.push(Number(rest & 0x7fn) | 0x80);
      rest >>= 7n;
    }
    bytes.push(Number(rest));
    this.raw(Uint8Array.from(bytes));
  }

  double(value: number): void {
    this.#ensure(8);
    this.#view.setFloat64((this.#at -= 8), value, true);
  }

  raw(bytes: Uint8Array): void {
    this.#ensure(bytes.length);
    this.#buffer.set(bytes, (this.#at -= bytes.length));
  }

  /** UTF-8 and its length. */
  string(text: string): void {
    const length = text.length;
    if (this.#at < length) this.#ensure(length);
    const buffer = this.#buffer;
    const start = this.#at - length;
    for (let i = 0; i < length; i++) {
      const unit = text.charCodeAt(i);
      if (unit >= 0x80) return this.#utf8(text);
      buffer[start + i] = unit;
    }
    this.#at = start;
    this.varint(length);
  }

  #utf8(text: string): void {
    const bytes = encoder.encode(text);
    this.raw(bytes);
    this.varint(bytes.length);
  }
}
