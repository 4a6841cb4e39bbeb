import { DecodeError } from "../json/decode-error.js";
import { decodeUtf8Lossy } from "../text/utf8-bytes.js";

/** Buffers of Node can make a string from a part of themselves much faster than the platform's decoder. */
interface SlicingBytes extends Uint8Array {
  utf8Slice?(start: number, end: number): string;
}

/** Reads a message from its beginning. Throws DecodeError in the words of Go's generated code. */
export class Reader {
  readonly bytes: SlicingBytes;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** A varint below 2^53: tags and lengths. What does not fit is refused, since no message is that long. */
  varint(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] as number;
    if (byte < 0x80) return byte;
    let value = byte & 0x7f;
    for (let shift = 128; shift <= 2 ** 63; shift *= 128) {
      if (this.at >= bytes.length) throw unexpectedEnd();
      byte = bytes[this.at++] as number;
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) {
        if (value > Number.MAX_SAFE_INTEGER) throw new DecodeError("proto: negative length found during unmarshaling");
        return value;
      }
    }
    throw new DecodeError("proto: integer overflow");
  }

  /** A varint of an int64: a number if it is safe, else a bigint. */
  integer(): number | bigint {
    const start = this.at;
    const { bytes } = this;
    let value = 0;
    for (let shift = 1, count = 0; count < 7; count++, shift *= 128) {
      const byte = bytes[this.at++];
      if (byte === undefined) throw unexpectedEnd();
      value += (byte & 0x7f) * shift;
      if (byte < 0x80) return value;
    }
    this.at = start;
    return this.#longInteger();
  }

  #longInteger(): number | bigint {
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) throw unexpectedEnd();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) {
        const signed = BigInt.asIntN(64, value);
        const number = Number(signed);
        return Number.isSafeInteger(number) ? number : signed;
      }
    }
    throw new DecodeError("proto: integer overflow");
  }

  int32(): number {
    const value = this.integer();
    return typeof value === "number" ? value | 0 : Number(BigInt.asIntN(32, value));
  }

  uint32(): number {
    return this.int32() >>> 0;
  }

  bool(): boolean {
    return this.integer() !== 0;
  }

  double(): number {
    if (this.at + 8 > this.bytes.length) throw unexpectedEnd();
    const view = new DataView(this.bytes.buffer, this.bytes.byteOffset, this.bytes.byteLength);
    this.at += 8;
    return view.getFloat64(this.at - 8, true);
  }

  /** The end of what follows a length, checked against the end of what it is in. */
  end(limit: number): number {
    if (this.at >= limit) throw unexpectedEnd();
    const length = this.bytes[this.at] as number;
    const end = length < 0x80 ? ++this.at + length : this.varint() + this.at;
    if (end > limit) throw unexpectedEnd();
    return end;
  }

  string(end: number): string {
    const start = this.at;
    this.at = end;
    return end - start <= longestKnown ? knownString(this.bytes, start, end) : makeString(this.bytes, start, end);
  }

  /** Past a field that the schema does not know. */
  skip(wire: number, limit: number): void {
    if (wire === 0) this.integer();
    else if (wire === 1) this.at += 8;
    else if (wire === 2) this.at = this.end(limit);
    else if (wire === 5) this.at += 4;
    else if (wire === 3) this.#skipGroup(limit);
    else throw new DecodeError(wire === 4 ? "proto: unexpected end of group" : `proto: illegal wireType ${wire}`);
    if (this.at > limit) throw unexpectedEnd();
  }

  /** Groups may be nested; no message of Kubernetes has one. */
  #skipGroup(limit: number): void {
    for (let depth = 1; depth > 0; ) {
      if (this.at >= limit) throw unexpectedEnd();
      const wire = this.varint() & 7;
      if (wire === 3) depth++;
      else if (wire === 4) depth--;
      else this.skip(wire, limit);
    }
  }
}

export const unexpectedEnd = (): DecodeError => new DecodeError("unexpected EOF");

/** Most short texts of objects are met again and again ("TCP", "True", names of labels): the last ones are kept, and found without making a string. */
const longestKnown = 32;
const known: string[] = Array.from({ length: 2048 }, () => "");

function knownString(bytes: SlicingBytes, start: number, end: number): string {
  const length = end - start;
  if (length === 0) return "";
  // A few bytes are enough: texts that share a place only take turns in it.
  const hash =
    (bytes[start] as number) * 31 +
    (bytes[end - 1] as number) * 131 +
    (bytes[(start + end) >> 1] as number) * 1031 +
    (bytes[start + (length >> 2)] as number) * 31 +
    length * 521;
  const place = (hash ^ (hash >> 11)) & 2047;
  const found = known[place] as string;
  if (found.length === length && matches(found, bytes, start)) return found;
  return (known[place] = makeString(bytes, start, end));
}

/** A text with characters beyond ASCII is shorter than its bytes, so no such character is compared here. */
function matches(text: string, bytes: Uint8Array, start: number): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) !== bytes[start + at]) return false;
  return true;
}

function makeString(bytes: SlicingBytes, start: number, end: number): string {
  return bytes.utf8Slice ? bytes.utf8Slice(start, end) : decodeUtf8Lossy(bytes.subarray(start, end));
}
