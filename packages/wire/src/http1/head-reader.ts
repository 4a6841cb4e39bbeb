import { Http1Error, malformed } from "./http1-error.js";

const headEnd = Buffer.from("\r\n\r\n", "latin1");
const [cr, lf] = [13, 10];
const none = Buffer.alloc(0);
const firstBlockBytes = 2048;

/** Finds the end of a message's head in chunks that may be cut anywhere. */
export class HeadReader {
  readonly #maxBytes: number;
  /** The beginning of a head that came in several chunks. */
  #block: Buffer = none;
  #length = 0;
  /** Up to here no line end is left to be looked at. */
  #scanned = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /** Bytes of a head that is not complete. */
  get pendingBytes(): number {
    return this.#length;
  }

  /**
   * @returns the head without the empty line at its end, one character per byte, and where in the chunk the rest begins; undefined: more is
   * needed, and the chunk was kept @throws Http1Error when it is too long, or has a line that is ended otherwise than by CR LF
   */
  push(chunk: Buffer, from: number): { head: string; end: number } | undefined {
    if (this.#length === 0) {
      const start = skipEmptyLine(chunk, from, chunk.length);
      const end = chunk.indexOf(headEnd, start);
      if (end >= 0) {
        this.#checkLength(end - start);
        return { head: chunk.toString("latin1", start, end), end: end + 4 };
      }
    }
    const before = this.#length;
    this.#keep(chunk, from);
    const end = this.#findEnd();
    if (end === undefined) {
      this.#checkLength(this.#length);
      return undefined;
    }
    this.#checkLength(end);
    const start = skipEmptyLine(this.#block, 0, this.#length);
    const head = this.#block.toString("latin1", start, Math.max(start, end - 4));
    this.#block = none;
    this.#length = 0;
    this.#scanned = 0;
    return { head, end: from + end - before };
  }

  /** The block doubles: a peer that sends byte by byte has each byte copied a constant number of times. */
  #keep(chunk: Buffer, from: number): void {
    const needed = this.#length + chunk.length - from;
    if (needed > this.#block.length) {
      const larger = Buffer.allocUnsafe(Math.max(firstBlockBytes, 2 * needed));
      this.#block.copy(larger, 0, 0, this.#length);
      this.#block = larger;
    }
    chunk.copy(this.#block, this.#length, from);
    this.#length = needed;
  }

  /** Behind the empty line. A client that ends lines by LF alone would otherwise wait for an answer until its time-out. */
  #findEnd(): number | undefined {
    const block = this.#block;
    for (let at = block.indexOf(lf, this.#scanned); at >= 0 && at < this.#length; at = block.indexOf(lf, at + 1)) {
      if (block[at - 1] !== cr) throw malformed("a line ends without a carriage return");
      this.#scanned = at + 1;
      if (at > 3 && block[at - 2] === lf) return at + 1;
    }
    this.#scanned = this.#length;
    return undefined;
  }

  #checkLength(bytes: number): void {
    if (bytes > this.#maxBytes) throw new Http1Error(431, `the head is longer than ${this.#maxBytes} bytes`);
  }
}

/** One empty line before a request is ignored (RFC 9112, section 2.2). */
const skipEmptyLine = (bytes: Buffer, from: number, end: number): number =>
  from + 1 < end && bytes[from] === cr && bytes[from + 1] === lf ? from + 2 : from;
