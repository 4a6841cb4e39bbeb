const offsetBasis = 0x811c9dc5;
const prime = 0x01000193;

/** The 32-bit FNV-1a hash of the bytes. */
export function fnv1a(bytes: Iterable<number>, start: number = offsetBasis): number {
  let hash = start;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, prime) >>> 0;
  return hash;
}

/** The 32-bit FNV-1 hash of the bytes: it multiplies first. */
export function fnv1(bytes: Iterable<number>): number {
  let hash = offsetBasis;
  for (const byte of bytes) hash = ((Math.imul(hash, prime) >>> 0) ^ byte) >>> 0;
  return hash;
}

/** No vowels, so that no words appear, and no characters that look alike. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";

/** The number as names carry it: each of its decimal digits as a character that generated names have. */
export const safeEncode = (hash: number): string =>
  Array.from(String(hash), (digit) => alphabet[digit.charCodeAt(0) % alphabet.length]).join("");
