import { type Field, parseFields } from "./field.js";
import { malformed } from "./http1-error.js";

/** Of one chunk's line, with its extensions; of all extensions of a body, which are read and dropped (CVE-2023-39326); of the trailers. */
const maxLineBytes = 1024;
const maxOverheadBytes = 16 * 1024;
const maxTrailerBytes = 8 * 1024;
/** A chunk of a larger size has more than 2^52 bytes. */
const sizeLine = /^([0-9A-Fa-f]{1,13})(?:[ \t]*;[\t\x20-\x7e\x80-\xff]*)?$/;
const control = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f]|\r(?!\n)|(?<!\r)\n/;
const [cr, lf] = [13, 10];

type State = "size" | "data" | "data end" | "trailers" | "complete";

/** Reads a body of chunks (RFC 9112, section 7.1) that are cut anywhere. Strict: lines end with CR LF and nothing else. */
export class ChunkDecoder {
  trailers: readonly Field[] = [];
  #state: State = "size";
  /** Bytes of the present chunk that are still to come. */
  #left = 0;
  #line = "";
  #overhead = 0;

  get isComplete(): boolean {
    return this.#state === "complete";
  }

  /** Adds the body's bytes to `into`. @returns where the body ends in the chunk, or its length @throws Http1Error */
  push(chunk: Buffer, from: number, into: Buffer[]): number {
    let at = from;
    while (at < chunk.length && this.#state !== "complete")
      switch (this.#state) {
        case "size":
          at = this.#readSize(chunk, at);
          break;
        case "data": {
          const end = Math.min(chunk.length, at + this.#left);
          into.push(chunk.subarray(at, end));
          this.#left -= end - at;
          if (this.#left === 0) this.#state = "data end";
          at = end;
          break;
        }
        case "data end":
          at = this.#readDataEnd(chunk, at);
          break;
        case "trailers":
          at = this.#readTrailers(chunk, at);
          break;
      }
    return at;
  }

  #readSize(chunk: Buffer, from: number): number {
    const at = this.#readLine(chunk, from, maxLineBytes);
    if (!this.#line.endsWith("\r\n")) return at;
    const parts = sizeLine.exec(this.#line.slice(0, -2));
    if (!parts) throw malformed("a chunk's size is malformed");
    this.#overhead += this.#line.length - parts[1]!.length - 2;
    if (this.#overhead > maxOverheadBytes) throw malformed("a body has too many chunk extensions");
    this.#line = "";
    this.#left = Number.parseInt(parts[1]!, 16);
    this.#state = this.#left === 0 ? "trailers" : "data";
    return at;
  }

  /** Up to and with the next LF. */
  #readLine(chunk: Buffer, from: number, maxBytes: number): number {
    const found = chunk.indexOf(lf, from);
    const end = found < 0 ? chunk.length : found + 1;
    if (this.#line.length + end - from > maxBytes) throw malformed("a line of a body in chunks is too long");
    this.#line += chunk.toString("latin1", from, end);
    if (found >= 0 && !this.#line.endsWith("\r\n")) throw malformed("a line ends without a carriage return");
    return end;
  }

  #readDataEnd(chunk: Buffer, from: number): number {
    let at = from;
    if (this.#line === "") {
      if (chunk[at] !== cr) throw malformed("a chunk is longer than its size");
      this.#line = "\r";
      at += 1;
    }
    if (at === chunk.length) return at;
    if (chunk[at] !== lf) throw malformed("a chunk is longer than its size");
    this.#line = "";
    this.#state = "size";
    return at + 1;
  }

  #readTrailers(chunk: Buffer, from: number): number {
    const at = this.#readLine(chunk, from, maxTrailerBytes);
    if (this.#line === "\r\n") this.#state = "complete";
    else if (this.#line.endsWith("\r\n\r\n")) {
      if (control.test(this.#line)) throw malformed("a trailer has a control character");
      this.trailers = parseFields(this.#line.slice(0, -4), 0);
      this.#state = "complete";
    }
    return at;
  }
}
