import { concat, utf8 } from "./text.js";

const prefix = Uint8Array.of(0x6b, 0x38, 0x73, 0x00);
/** Content encoding and type, empty, as Go writes them. */
const end = Uint8Array.of(0x1a, 0x00, 0x22, 0x00);

/** What stands before and after a message of `length` bytes in its envelope: a long list is written without a copy of the whole. */
export function envelopeAround(
  length: number,
  { apiVersion, kind }: { readonly apiVersion: string; readonly kind: string },
): { before: Uint8Array; after: Uint8Array } {
  const type = concat(field(1, utf8(apiVersion)), field(2, utf8(kind)));
  return { before: concat(prefix, field(1, type), Uint8Array.of(0x12), varint(length)), after: end };
}

/** A member of a message that has a length. */
export const field = (number: number, bytes: Uint8Array): Uint8Array =>
  concat(Uint8Array.of((number << 3) | 2), varint(bytes.length), bytes);

export function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) | 0x80);
  return Uint8Array.of(...bytes, rest);
}
