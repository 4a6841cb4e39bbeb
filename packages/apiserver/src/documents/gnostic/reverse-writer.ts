/**
 * Writes protobuf from the end to the front: when a message's length has to be written, its content is there already, so nothing
 * is measured twice or moved. Fields are therefore given in descending order, the last of a list first.
 */
export class ReverseWriter {
  #bytes = Buffer.allocUnsafe(1 << 16);
  /** Where the written part begins. */
  #start = this.#bytes.length;

  finish(): Uint8Array {
    return new Uint8Array(this.#bytes.subarray(this.#start));
  }

  /** How much is written; the difference of two is the length of what was written between. */
  get length(): number {
    return this.#bytes.length - this.#start;
  }

  text(value: string): void {
    const length = Buffer.byteLength(value, "utf8");
    this.#reserve(length);
    this.#start -= length;
    this.#bytes.write(value, this.#start, length, "utf8");
  }

  double(value: number): void {
    this.#reserve(8);
    this.#start -= 8;
    this.#bytes.writeDoubleLE(value, this.#start);
  }

  /** A non-negative integer. */
  varint(value: number): void {
    let size = 1;
    for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
    this.#reserve(size);
    this.#start -= size;
    let at = this.#start;
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#bytes[at++] = (rest % 0x80) | 0x80;
    this.#bytes[at] = rest;
  }

  /** Precedes a field's content: its number and wire type (0 varint, 1 eight bytes, 2 with a length). */
  tag(number: number, wireType: 0 | 1 | 2): void {
    this.varint(number * 8 + wireType);
  }

  /** A field with a length: what `write` adds, then, before it, its length and tag. */
  field(number: number, write: () => void): void {
    const before = this.length;
    write();
    this.varint(this.length - before);
    this.tag(number, 2);
  }

  #reserve(more: number): void {
    if (more <= this.#start) return;
    const grown = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.length + more));
    const start = grown.length - this.length;
    this.#bytes.copy(grown, start, this.#start);
    this.#start = start;
    this.#bytes = grown;
  }
}
