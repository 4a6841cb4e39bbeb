/** Distinguished Encoding Rules, the writing half: each function returns one complete element. */

export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  oid: 0x06,
  utf8String: 0x0c,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

export function element(tagByte: number, ...contents: readonly Uint8Array[]): Buffer {
  const length = contents.reduce((sum, part) => sum + part.length, 0);
  return Buffer.concat([header(tagByte, length), ...contents]);
}

function header(tagByte: number, length: number): Buffer {
  if (length < 0x80) return Buffer.from([tagByte, length]);
  const bytes: number[] = [];
  for (let rest = length; rest > 0; rest = Math.floor(rest / 256)) bytes.unshift(rest % 256);
  return Buffer.from([tagByte, 0x80 | bytes.length, ...bytes]);
}

export const sequence = (...items: readonly Uint8Array[]): Buffer => element(tag.sequence, ...items);

/** DER wants the members of a SET OF in the order of their bytes. */
export const setOf = (...items: readonly Uint8Array[]): Buffer => element(tag.set, ...[...items].sort(Buffer.compare));

/** A context-specific tag around complete elements (EXPLICIT). */
export const explicit = (number: number, ...items: readonly Uint8Array[]): Buffer => element(0xa0 | number, ...items);

/** A context-specific tag in place of a primitive's own (IMPLICIT). */
export const implicit = (number: number, content: Uint8Array): Buffer => element(0x80 | number, content);

/** A non-negative integer from its big-endian bytes. */
export function integer(bytes: Uint8Array): Buffer {
  let start = 0;
  while (start < bytes.length - 1 && bytes[start] === 0) start += 1;
  const magnitude = bytes.length === 0 ? Buffer.from([0]) : bytes.subarray(start);
  // A leading one bit would read as a negative number.
  return magnitude[0]! >= 0x80 ? element(tag.integer, Buffer.from([0]), magnitude) : element(tag.integer, magnitude);
}

export const smallInteger = (value: number): Buffer =>
  integer(Buffer.from([value >> 24, value >> 16, value >> 8, value]));
export const boolean = (value: boolean): Buffer => element(tag.boolean, Buffer.from([value ? 0xff : 0]));
export const octetString = (content: Uint8Array): Buffer => element(tag.octetString, content);
export const utf8String = (text: string): Buffer => element(tag.utf8String, Buffer.from(text, "utf8"));
export const asn1Null = (): Buffer => element(tag.null);

/** @param unused how many of the last byte's low bits do not count */
export const bitString = (content: Uint8Array, unused = 0): Buffer =>
  element(tag.bitString, Buffer.from([unused]), content);

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split(".").map(Number);
  const bytes: number[] = [];
  for (const arc of [first * 40 + second, ...rest]) {
    const septets = [arc % 128];
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128))
      septets.unshift(0x80 | (left % 128));
    for (const septet of septets) bytes.push(septet);
  }
  return element(tag.oid, Buffer.from(bytes));
}

/** RFC 5280: UTCTime through 2049, GeneralizedTime from 2050 on; whole seconds. */
export function time(ms: number): Buffer {
  const digits = new Date(ms).toISOString().replace(/[-:T]/g, "").slice(0, 14);
  const year = Number(digits.slice(0, 4));
  return year >= 1950 && year < 2050
    ? element(tag.utcTime, Buffer.from(`${digits.slice(2)}Z`))
    : element(tag.generalizedTime, Buffer.from(`${digits}Z`));
}
