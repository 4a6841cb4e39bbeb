/**
 * Collects bytes of a peer until they are complete, in one block that doubles. The peer chooses how its bytes are cut: a Buffer
 * kept per chunk is about 250 bytes for a chunk of one byte, and a slice keeps all of the buffer that it is cut from. So chunks are
 * copied; the exception is a chunk that is alone and most of its buffer, which needs no copy when it is all there is.
 *
 * Guarantees: at most twice the collected bytes are held, plus one chunk; a chunk without bytes holds nothing; each byte is copied
 * a constant number of times; bytes that were taken are never written to again.
 */
export class ByteCollector {
  #block: Buffer = empty;
  #start = 0;
  #end = 0;
  /** The block was allocated here, so that bytes can be added behind its end. */
  #isOwn = false;

  /** Collected and not yet taken. */
  get length(): number {
    return this.#end - this.#start;
  }

  /** What the collected bytes keep in memory. */
  get heldBytes(): number {
    return this.#isOwn ? this.#block.length : this.#block.buffer.byteLength;
  }

  /** The chunk must not be changed afterwards. */
  add(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    if (this.#end === this.#start && chunk.length * 2 >= chunk.buffer.byteLength) {
      this.#block = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      this.#start = 0;
      this.#end = chunk.length;
      this.#isOwn = false;
      return;
    }
    if (!this.#isOwn || this.#block.length - this.#end < chunk.length) this.#grow(chunk.length);
    this.#block.set(chunk, this.#end);
    this.#end += chunk.length;
  }

  /** The next bytes, which stay collected; undefined while there are fewer. */
  peek(length: number): Buffer | undefined {
    return length > this.length ? undefined : this.#block.subarray(this.#start, this.#start + length);
  }

  /** The next bytes, at most `length` of them. @default all */
  take(length: number = this.length): Buffer {
    const from = this.#start;
    const to = Math.min(from + length, this.#end);
    const taken = this.#block.subarray(from, to);
    this.#start = to;
    if (to === this.#end) this.clear();
    return taken;
  }

  /** Forgets what was collected. */
  clear(): void {
    this.#block = empty;
    this.#start = this.#end = 0;
    this.#isOwn = false;
  }

  #grow(more: number): void {
    const { length } = this;
    // Not from Node's pool: a small block would keep all of the pool's.
    const block = Buffer.allocUnsafeSlow((length + more) * 2);
    this.#block.copy(block, 0, this.#start, this.#end);
    this.#block = block;
    this.#start = 0;
    this.#end = length;
    this.#isOwn = true;
  }
}

const empty = Buffer.allocUnsafeSlow(0);
