import type { BodyFraming } from "./body-framing.js";
import { ChunkDecoder } from "./chunk-decoder.js";
import type { Field } from "./field.js";

const noTrailers: readonly Field[] = [];

/** Reads one body, however it is framed. */
export class BodyDecoder {
  readonly #chunks: ChunkDecoder | undefined;
  readonly #isUntilClosed: boolean;
  #left: number;

  constructor(framing: BodyFraming) {
    this.#chunks = framing.kind === "chunked" ? new ChunkDecoder() : undefined;
    this.#isUntilClosed = framing.kind === "until closed";
    this.#left = framing.kind === "length" ? framing.bytes : 0;
  }

  /** A body that ends with the connection is never complete before. */
  get isComplete(): boolean {
    return this.#chunks ? this.#chunks.isComplete : this.#left === 0 && !this.#isUntilClosed;
  }

  /** It is as long as its connection is open. */
  get endsWithConnection(): boolean {
    return this.#isUntilClosed;
  }

  get trailers(): readonly Field[] {
    return this.#chunks ? this.#chunks.trailers : noTrailers;
  }

  /**
   * What of the chunk is the body's, as one piece: a peer that sends chunks of one byte does not make as many calls of them.
   * `end`: where the body ends in the chunk, or its length. @throws Http1Error
   */
  push(chunk: Buffer, from: number): { data: Buffer | undefined; end: number } {
    if (this.#chunks) {
      const parts: Buffer[] = [];
      const end = this.#chunks.push(chunk, from, parts);
      return { data: parts.length > 1 ? Buffer.concat(parts) : parts[0], end };
    }
    const end = this.#isUntilClosed ? chunk.length : Math.min(chunk.length, from + this.#left);
    if (!this.#isUntilClosed) this.#left -= end - from;
    return { data: end > from ? chunk.subarray(from, end) : undefined, end };
  }
}
