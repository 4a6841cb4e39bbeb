/** Bytes that grow. */
export class Writer {
  #bytes = Buffer.allocUnsafe(256);
  #length = 0;

  /** A copy of what was written. */
  finish(): Buffer {
    return Buffer.from(this.#bytes.subarray(0, this.#length));
  }

  /** Any integer within ±2^53; a negative one takes ten bytes, as protobuf has it. */
  varint(value: number): void {
    this.#reserve(10);
    if (value < 0) return this.bigVarint(BigInt.asUintN(64, BigInt(value)));
    let rest = value;
    while (rest >= 0x80) {
      this.#bytes[this.#length++] = (rest % 128) | 0x80;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  bigVarint(value: bigint): void {
    this.#reserve(10);
    let rest = BigInt.asUintN(64, value);
    while (rest >= 0x80n) {
      this.#bytes[this.#length++] = Number(rest & 0x7fn) | 0x80;
      rest >>= 7n;
    }
    this.#bytes[this.#length++] = Number(rest);
  }

  double(value: number): void {
    this.#reserve(8);
    this.#bytes.writeDoubleLE(value, this.#length);
    this.#length += 8;
  }

  /** With its length in front. */
  bytes(value: Uint8Array): void {
    this.varint(value.length);
    this.#reserve(value.length);
    this.#bytes.set(value, this.#length);
    this.#length += value.length;
  }

  /** With its length in front. */
  string(value: string): void {
    const length = Buffer.byteLength(value, "utf8");
    this.varint(length);
    this.#reserve(length);
    this.#length += this.#bytes.write(value, this.#length, "utf8");
  }

  /** What `write` adds, with its length in front. */
  nested(write: () => void): void {
    this.#reserve(1);
    const start = ++this.#length;
    write();
    const length = this.#length - start;
    if (length < 0x80) {
      this.#bytes[start - 1] = length;
      return;
    }
    // One byte was kept for the length; make room for the rest.
    const extra = length < 0x4000 ? 1 : length < 0x20_0000 ? 2 : length < 0x1000_0000 ? 3 : 4;
    this.#reserve(extra);
    this.#bytes.copyWithin(start + extra, start, this.#length);
    this.#length = start - 1;
    this.varint(length);
    this.#length += length;
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const grown = Buffer.allocUnsafe(Math.max(needed, this.#bytes.length * 2));
    this.#bytes.copy(grown, 0, 0, this.#length);
    this.#bytes = grown;
  }
}
