import { Http1Error, malformed } from "./http1-error.js";

/** A header line, or a line of trailers. */
export interface Field {
  /** As it was written. */
  readonly name: string;
  readonly lower: string;
  /** Without the blanks around it; one character per byte. */
  readonly value: string;
}

/** Lines of one message: a peer that sends more is refused, since each costs many times its bytes. */
export const maxFields = 256;

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Names are few: most are checked and changed to lower case once. Bounded, since clients choose them. */
const known = new Map<string, string>();
const maxKnown = 512;
const maxKnownLength = 64;

/** The name in lower case. @throws Http1Error if it is no token: with a blank before the colon, above all (RFC 9112, section 5.1) */
export function lowerName(name: string): string {
  const there = known.get(name);
  if (there !== undefined) return there;
  if (!token.test(name)) throw malformed("a header's name is malformed");
  const lower = name.toLowerCase();
  // A copy: a slice would keep the whole head that it is of.
  if (known.size < maxKnown && name.length <= maxKnownLength)
    known.set(Buffer.from(name, "latin1").toString("latin1"), lower);
  return lower;
}

const control = /[\0-\x08\x0a-\x1f\x7f]/;

/** A line of other origin than a parsed head: of HTTP/2, of a filter. @throws Http1Error for what would be more than one line, or none */
export function fieldOf(name: string, value: string): Field {
  if (control.test(value)) throw malformed("a header's value has a control character");
  return { name, lower: lowerName(name), value };
}

/** The first value of a name. */
export function fieldValue(fields: readonly Field[], lower: string): string | undefined {
  for (const field of fields) if (field.lower === lower) return field.value;
  return undefined;
}

/** Several lines of one name are one value, joined by commas (RFC 9110, section 5.3). */
export function joinedValue(fields: readonly Field[], lower: string): string | undefined {
  let joined: string | undefined;
  for (const field of fields)
    if (field.lower === lower) joined = joined === undefined ? field.value : `${joined},${field.value}`;
  return joined;
}

/** Whether a list of tokens has this one, in any case. */
export function hasToken(fields: readonly Field[], lower: string, token: string): boolean {
  for (const field of fields)
    if (field.lower === lower)
      for (const one of field.value.split(",")) if (one.trim().toLowerCase() === token) return true;
  return false;
}

/** The lines from `at` on, without the empty one behind them. The text has no control characters but line ends. @throws Http1Error */
export function parseFields(text: string, from: number): Field[] {
  const fields: Field[] = [];
  for (let at = from; at < text.length; ) {
    let end = text.indexOf("\r\n", at);
    if (end < 0) end = text.length;
    const colon = text.indexOf(":", at);
    if (colon < 0 || colon >= end) throw malformed("a header line has no colon");
    // A folded line (RFC 9112, section 5.2) begins with a blank, which no name does.
    const name = text.slice(at, colon);
    if (fields.length >= maxFields) throw new Http1Error(431, `more than ${maxFields} header lines`);
    fields.push({ name, lower: lowerName(name), value: trimBlanks(text, colon + 1, end) });
    at = end + 2;
  }
  return fields;
}

function trimBlanks(text: string, from: number, to: number): string {
  let start = from;
  let end = to;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end -= 1;
  return text.slice(start, end);
}

const isBlank = (code: number): boolean => code === 32 || code === 9;
