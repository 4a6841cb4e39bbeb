import { ByteCollector } from "./byte-collector.js";

/**
 * What a Readable received and nobody has read. A Readable keeps a Buffer and a place in a list for each `push`, and counts bytes only:
 * 64 KiB in chunks of one byte are 16 MB. So chunks wait here, copied together, and are pushed when all of the former was read.
 *
 * The Readable has a `readableHighWaterMark` of 1, so that its `_read` is called when it holds nothing; `_read` calls `ask`.
 */
export class UnreadBytes {
  /** Pass as `readableHighWaterMark`. */
  static readonly highWaterMark = 1;
  readonly #bytes = new ByteCollector();
  readonly #push: (bytes: Buffer | null) => unknown;
  #isAsked = false;
  #hasEnded = false;

  constructor(push: (bytes: Buffer | null) => unknown) {
    this.#push = push;
  }

  /** Waiting here; what was pushed is not among it. */
  get length(): number {
    return this.#bytes.length;
  }

  add(chunk: Uint8Array): void {
    if (this.#hasEnded) return;
    this.#bytes.add(chunk);
    if (this.#isAsked) this.ask();
  }

  /** No more will be added: the reader sees the end behind what waits here. */
  end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    if (this.#bytes.length === 0) this.#push(null);
  }

  /** The reader has room: pushes what is here, or what comes next. */
  ask(): void {
    this.#isAsked = this.#bytes.length === 0;
    if (this.#isAsked) return;
    this.#push(this.#bytes.take());
    if (this.#hasEnded) this.#push(null);
  }
}
