import { frameFlag } from "./frame.js";

/**
 * Header blocks (HPACK, RFC 7541) without a dynamic table, which the connection switches off: a request's block is
 * encoded once and sent thousands of times, and of an answer only the status is read.
 */
const nameIndex: Readonly<Record<string, number>> = { ":authority": 1, ":method": 2, ":path": 4, ":scheme": 6 };
/** `:status` values of the static table, from index 8 on. */
const indexedStatus = [200, 204, 206, 304, 400, 404, 500];

export function encodeHeaders(headers: readonly (readonly [name: string, value: string])[]): Buffer {
  const parts: Buffer[] = [];
  for (const [name, value] of headers) {
    const index = nameIndex[name];
    // 0000iiii: literal, not indexed; the name by its index or as text.
    if (index === undefined) parts.push(Buffer.from([0]), encodeText(name));
    else parts.push(Buffer.from([index]));
    parts.push(encodeText(value));
  }
  return Buffer.concat(parts);
}

function encodeText(text: string): Buffer {
  const bytes = Buffer.from(text, "latin1");
  return Buffer.concat([encodeLength(bytes.length), bytes]);
}

function encodeLength(length: number): Buffer {
  if (length < 127) return Buffer.from([length]);
  const bytes = [127];
  let rest = length - 127;
  for (; rest >= 128; rest >>>= 7) bytes.push((rest & 127) | 128);
  return Buffer.from([...bytes, rest]);
}

/** The status of an answer from the payload of its HEADERS frame; 0 if it is not the first field, as it must be. */
export function decodeStatus(payload: Buffer, flags: number): number {
  let at = (flags & frameFlag.padded ? 1 : 0) + (flags & frameFlag.priority ? 5 : 0);
  while ((payload[at]! & 0xe0) === 0x20) at++; // a new size of the dynamic table: zero, as asked, which fits one byte
  const first = payload[at++] ?? 0;
  if (first & 0x80) return indexedStatus[(first & 0x7f) - 8] ?? 0;
  const index = first & (first & 0x40 ? 0x3f : 0x0f);
  if (index < 8 || index > 14) return 0;
  const length = payload[at++] ?? 0;
  const value = payload.subarray(at, at + (length & 0x7f));
  return Number(length & 0x80 ? decodeDigits(value) : value.toString("latin1")) || 0;
}

/** Huffman-coded digits: 0 to 2 are five bits, 3 to 9 are six bits from 011001 on; the rest is padding of ones. */
function decodeDigits(bytes: Buffer): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  let digits = "";
  for (let at = 0; digits.length < 3; ) {
    const five = parseInt(bits.slice(at, at + 5), 2);
    const digit = five <= 2 ? five : parseInt(bits.slice(at, at + 6), 2) - 22;
    if (!(digit >= 0 && digit <= 9)) return "";
    digits += digit;
    at += five <= 2 ? 5 : 6;
  }
  return digits;
}
