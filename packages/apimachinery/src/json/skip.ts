/** Steps over JSON text without parsing it. The text is taken to be well formed; on malformed text every step still ends, at or before the end of the bytes. */

export function skipSpace(bytes: Uint8Array, at: number): number {
  let next = at;
  while (next < bytes.length && (bytes[next] as number) <= 0x20) next++;
  return next;
}

/** Names and most values are shorter; of longer strings it pays to search many bytes at a time. */
const shortString = 64;

/** From the opening quote to behind the closing one. */
export function skipString(bytes: Uint8Array, at: number): number {
  const next = endOfString(bytes, at + 1, Math.min(bytes.length, at + shortString));
  if (next >= 0) return next;
  const quote = bytes.indexOf(0x22, ~next);
  if (quote >= 0 && bytes.subarray(~next, quote).indexOf(0x5c) < 0) return quote + 1;
  const end = endOfString(bytes, ~next, bytes.length);
  return end >= 0 ? end : bytes.length;
}

/** The place behind the closing quote; when that is not before `limit`, the complement of the place to go on from. */
function endOfString(bytes: Uint8Array, at: number, limit: number): number {
  let next = at;
  while (next < limit) {
    const byte = bytes[next++] as number;
    if (byte === 0x22) return next;
    if (byte === 0x5c) next++;
  }
  return ~next;
}

/** From the first byte of a value to behind its last one. */
export function skipValue(bytes: Uint8Array, at: number): number {
  const first = bytes[at];
  if (first === 0x22) return skipString(bytes, at);
  if (first === 0x7b || first === 0x5b) return skipBracket(bytes, at);
  let next = at;
  while (next < bytes.length) {
    const byte = bytes[next] as number;
    if (byte === 0x2c || byte === 0x7d || byte === 0x5d || byte <= 0x20) break;
    next++;
  }
  return next;
}

function skipBracket(bytes: Uint8Array, at: number): number {
  const end = bytes.length;
  let depth = 0;
  let next = at;
  while (next < end) {
    const byte = bytes[next++] as number;
    if (byte === 0x22) {
      next = skipString(bytes, next - 1);
    } else if (byte === 0x7b || byte === 0x5b) {
      depth++;
    } else if (byte === 0x7d || byte === 0x5d) {
      if (--depth === 0) return next;
    }
  }
  return end;
}

/** Whether the quoted name at `start` is exactly `name` (plain ASCII, as the members of the API are). */
export function isName(bytes: Uint8Array, start: number, name: string): boolean {
  for (let at = 0; at < name.length; at++) if (bytes[start + 1 + at] !== name.charCodeAt(at)) return false;
  return bytes[start + 1 + name.length] === 0x22;
}

/**
 * Calls `visit` for the members of the object at `at`, with the places of the name's quote and of the value's first and last byte + 1.
 * Returns the place behind the closing brace. `visit` may answer false to stop early; then undefined is returned.
 */
export function eachMember(
  bytes: Uint8Array,
  at: number,
  visit: (name: number, value: number, end: number) => boolean | void,
): number | undefined {
  let next = skipSpace(bytes, at);
  if (bytes[next] !== 0x7b) return undefined;
  next = skipSpace(bytes, next + 1);
  while (bytes[next] === 0x22) {
    const name = next;
    next = skipSpace(bytes, skipString(bytes, name));
    if (bytes[next] !== 0x3a) return undefined;
    const value = skipSpace(bytes, next + 1);
    const end = skipValue(bytes, value);
    if (end === value || visit(name, value, end) === false) return undefined;
    next = skipSpace(bytes, end);
    if (bytes[next] === 0x2c) next = skipSpace(bytes, next + 1);
  }
  return bytes[next] === 0x7d ? next + 1 : undefined;
}
