/** Bytes that are no protobuf message, or not the one expected. */
export class ProtobufError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "ProtobufError";
  }
}

/** A position in a message. */
export class Reader {
  readonly #bytes: Buffer;
  readonly #end: number;
  #at: number;

  constructor(bytes: Buffer, start = 0, end = bytes.length) {
    this.#bytes = bytes;
    this.#at = start;
    this.#end = end;
  }

  get done(): boolean {
    return this.#at >= this.#end;
  }

  /** Unsigned, exact up to 2^53. */
  varint(): number {
    let value = 0;
    let factor = 1;
    for (let count = 0; count < 10; count += 1) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
      factor *= 128;
    }
    throw new ProtobufError("a number has more than ten bytes");
  }

  /** As an int64: a number past 2^63 is a negative one. */
  signed(): number {
    const start = this.#at;
    const value = this.varint();
    if (value < 2 ** 63) return value;
    // Only a ten-byte form comes here; its exact value needs more than a number has.
    this.#at = start;
    return Number(this.big());
  }

  big(): bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.#byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asIntN(64, value);
    }
    throw new ProtobufError("a number has more than ten bytes");
  }

  double(): number {
    const start = this.#take(8);
    return this.#bytes.readDoubleLE(start);
  }

  /** A view. */
  bytes(): Buffer {
    const length = this.varint();
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  string(): string {
    const length = this.varint();
    const start = this.#take(length);
    return this.#bytes.toString("utf8", start, start + length);
  }

  /** A reader of the next `bytes`. */
  nested(): Reader {
    const length = this.varint();
    const start = this.#take(length);
    return new Reader(this.#bytes, start, start + length);
  }

  skip(wireType: number): void {
    if (wireType === 0) this.varint();
    else if (wireType === 1) this.#take(8);
    else if (wireType === 2) this.#take(this.varint());
    else if (wireType === 5) this.#take(4);
    else throw new ProtobufError(`a field has the wire type ${wireType}, which no longer exists`);
  }

  #byte(): number {
    if (this.#at >= this.#end) throw new ProtobufError("the message ends too early");
    return this.#bytes[this.#at++]!;
  }

  /** Moves over `length` bytes and returns where they begin. */
  #take(length: number): number {
    const start = this.#at;
    if (start + length > this.#end) throw new ProtobufError("the message ends too early");
    this.#at = start + length;
    return start;
  }
}
