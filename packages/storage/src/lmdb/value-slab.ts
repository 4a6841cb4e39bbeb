/** Fills in for `bytes.buffer`, which is a call out of the engine: the buffer that reads go to is nearly always the same. */
let lastBytes: Uint8Array | undefined;
let lastBuffer: ArrayBufferLike;

export function bufferOf(bytes: Uint8Array): ArrayBufferLike {
  if (bytes !== lastBytes) {
    lastBytes = bytes;
    lastBuffer = bytes.buffer;
  }
  return lastBuffer;
}

/**
 * Copies of values, several in one allocation: a buffer for each would cost more than the copy itself. Keeping one value
 * keeps its slab, so a slab for single reads is small.
 */
export class ValueSlab {
  readonly #size: number;
  #buffer = new ArrayBuffer(0);
  #bytes = new Uint8Array(this.#buffer);
  #used = 0;

  constructor(size: number) {
    this.#size = size;
  }

  copy(bytes: Uint8Array, from: number, to: number): Uint8Array {
    const length = to - from;
    const source = new Uint8Array(bufferOf(bytes), bytes.byteOffset + from, length);
    if (length > this.#size / 4) return new Uint8Array(source);
    if (this.#used + length > this.#bytes.length) this.#renew();
    this.#bytes.set(source, this.#used);
    const copy = new Uint8Array(this.#buffer, this.#used, length);
    this.#used += length;
    return copy;
  }

  #renew(): void {
    this.#buffer = Buffer.allocUnsafeSlow(this.#size).buffer;
    this.#bytes = new Uint8Array(this.#buffer);
    this.#used = 0;
  }
}
