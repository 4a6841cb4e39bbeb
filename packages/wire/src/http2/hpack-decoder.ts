import type { Header } from "./header.js";
import { staticTable } from "./hpack-tables.js";
import { errorCode, Http2Error } from "./http2-error.js";
import { decodeHuffman } from "./huffman.js";

/** Size of the dynamic table: the default of SETTINGS_HEADER_TABLE_SIZE, which is what we announce. */
const maxTableBytes = 4096;
const entryOverhead = 32;
/** Strings of so many bytes or more are kept, see `#longText`. */
const longString = 256;
const empty = Buffer.alloc(0);

/** HPACK decoder (RFC 7541). Every header block must be decoded: later ones refer to its entries in the dynamic table. */
export class HpackDecoder {
  /** Newest first. */
  readonly #dynamic: Header[] = [];
  #dynamicBytes = 0;
  #limit = maxTableBytes;
  readonly #maxListBytes: number;
  #block: Buffer = empty;
  #at = 0;
  #lastLong: { readonly bytes: Buffer; readonly compressed: boolean; readonly text: string } | undefined;

  /**
   * @param maxListBytes SETTINGS_MAX_HEADER_LIST_SIZE: name, value and 32 bytes of each field. An HPACK bomb
   * (CVE-2016-6581) names one large entry of the table many times.
   */
  constructor(maxListBytes: number) {
    this.#maxListBytes = maxListBytes;
  }

  /** Undefined: the list is too long; the dynamic table is updated all the same. @throws Http2Error */
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
    this.#block = empty;
    return bytes > this.#maxListBytes ? undefined : headers;
  }

  #next(isFirstDone: boolean): Header | undefined {
    const first = this.#block[this.#at]!;
    if (first >= 0x80) return this.#lookUp(this.#integer(7));
    if (first >= 0x40) return this.#insert(this.#literal(6));
    if (first < 0x20) return this.#literal(4);
    const limit = this.#integer(5);
    if (isFirstDone || limit > maxTableBytes) throw malformed("dynamic table size update not allowed here");
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
    if (!found) throw malformed(`index ${index} is not in the table`);
    return found;
  }

  #insert(header: Header): Header {
    this.#dynamic.unshift(header);
    this.#dynamicBytes += sizeOf(header);
    this.#evict();
    return header;
  }

  #evict(): void {
    while (this.#dynamicBytes > this.#limit) this.#dynamicBytes -= sizeOf(this.#dynamic.pop()!);
  }

  #integer(prefixBits: number): number {
    const max = (1 << prefixBits) - 1;
    let value = this.#byte() & max;
    if (value < max) return value;
    for (let factor = 1; factor <= 2 ** 21; factor *= 128) {
      const byte = this.#byte();
      value += (byte & 0x7f) * factor;
      if (byte < 0x80) return value;
    }
    throw malformed("an integer is too large");
  }

  #string(): string {
    const compressed = (this.#block[this.#at] ?? 0) >= 0x80;
    const length = this.#integer(7);
    const end = this.#at + length;
    if (end > this.#block.length) throw malformed("a string exceeds the header block");
    const start = this.#at;
    this.#at = end;
    return length < longString ? this.#text(start, end, compressed) : this.#longText(start, end, compressed);
  }

  #text(start: number, end: number, compressed: boolean): string {
    return compressed ? decodeHuffman(this.#block, start, end) : this.#block.toString("latin1", start, end);
  }

  /** Clients do not index bearer tokens, and send one with every request: equal bytes return the string decoded last. */
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
    if (byte === undefined) throw malformed("the header block is truncated");
    this.#at += 1;
    return byte;
  }
}

const sizeOf = ([name, value]: Header): number => name.length + value.length + entryOverhead;
const malformed = (why: string): Http2Error => new Http2Error(errorCode.compressionError, `HPACK: ${why}`);
