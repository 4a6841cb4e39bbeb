import type { Header } from "./header.js";
import { staticTable } from "./hpack-tables.js";
import { errorCode, Http2Error } from "./http2-error.js";
import { decodeHuffman } from "./huffman.js";

/** What we announced, which is the protocol's default: how much the dynamic table may hold. */
const maxTableBytes = 4096;
const entryOverhead = 32;
/** In bytes. */
const longString = 256;
const nothing = Buffer.alloc(0);

/** Headers of one direction of a connection (RFC 7541). Every block must be read, for later ones refer to it. */
export class HpackDecoder {
  /** Newest first. */
  readonly #dynamic: Header[] = [];
  #dynamicBytes = 0;
  #limit = maxTableBytes;
  readonly #maxListBytes: number;
  #block: Buffer = nothing;
  #at = 0;
  #lastLong: { readonly bytes: Buffer; readonly compressed: boolean; readonly text: string } | undefined;

  /** @param maxListBytes of all headers of a block together, counted as the protocol counts them */
  constructor(maxListBytes: number) {
    this.#maxListBytes = maxListBytes;
  }

  /** Undefined: they are too long together; what they do to later blocks is done. @throws Http2Error */
  decode(block: Buffer): Header[] | undefined {
    this.#block = block;
    this.#at = 0;
    const headers: Header[] = [];
    let bytes = 0;
    while (this.#at < block.length) {
      const header = this.#next(bytes > 0);
      if (!header) continue;
      bytes += sizeOf(header);
      if (bytes <= this.#maxListBytes) headers.push(header);
    }
    this.#block = nothing;
    return bytes > this.#maxListBytes ? undefined : headers;
  }

  #next(begun: boolean): Header | undefined {
    const first = this.#block[this.#at]!;
    if (first >= 0x80) return this.#lookUp(this.#integer(7));
    if (first >= 0x40) return this.#remember(this.#literal(6));
    if (first < 0x20) return this.#literal(4);
    const limit = this.#integer(5);
    if (begun || limit > maxTableBytes) throw malformed("a change of the table's size is not allowed here");
    this.#limit = limit;
    this.#evict();
    return undefined;
  }

  #literal(prefixBits: number): Header {
    const index = this.#integer(prefixBits);
    const name = index === 0 ? this.#string() : this.#lookUp(index)[0];
    return [name, this.#string()];
  }

  #lookUp(index: number): Header {
    const found =
      index === 0
        ? undefined
        : index <= staticTable.length
          ? staticTable[index - 1]
          : this.#dynamic[index - staticTable.length - 1];
    if (!found) throw malformed(`there is no header with the index ${index}`);
    return found;
  }

  #remember(header: Header): Header {
    this.#dynamic.unshift(header);
    this.#dynamicBytes += sizeOf(header);
    this.#evict();
    return header;
  }

  #evict(): void {
    while (this.#dynamicBytes > this.#limit) this.#dynamicBytes -= sizeOf(this.#dynamic.pop()!);
  }

  #integer(prefixBits: number): number {
    const most = (1 << prefixBits) - 1;
    let value = this.#byte() & most;
    if (value < most) return value;
    for (let factor = 1; factor <= 2 ** 21; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw malformed("a number is too large");
  }

  #string(): string {
    const compressed = (this.#block[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    const end = this.#at + length;
    if (end > this.#block.length) throw malformed("a string is longer than what holds it");
    const start = this.#at;
    this.#at = end;
    return length < longString ? this.#text(start, end, compressed) : this.#longText(start, end, compressed);
  }

  #text(start: number, end: number, compressed: boolean): string {
    return compressed ? decodeHuffman(this.#block, start, end) : this.#block.toString("latin1", start, end);
  }

  /** Clients keep tokens out of the table and send them with every request: the same bytes are the same string. */
  #longText(start: number, end: number, compressed: boolean): string {
    const last = this.#lastLong;
    if (last?.compressed === compressed && this.#block.compare(last.bytes, 0, last.bytes.length, start, end) === 0)
      return last.text;
    const text = this.#text(start, end, compressed);
    this.#lastLong = { bytes: Buffer.from(this.#block.subarray(start, end)), compressed, text };
    return text;
  }

  #byte(): number {
    const byte = this.#block[this.#at];
    if (byte === undefined) throw malformed("a header block ends too early");
    this.#at += 1;
    return byte;
  }
}

const sizeOf = ([name, value]: Header): number => name.length + value.length + entryOverhead;
const malformed = (why: string): Http2Error =>
  new Http2Error(errorCode.compressionError, `headers cannot be read: ${why}`);
