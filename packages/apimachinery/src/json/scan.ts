/** What one pass over the bytes finds, without parsing. It need not be exact for malformed text: `JSON.parse` reports that. */
export interface JsonScan {
  /** Object members, counted by their colons. */
  members: number;
  /** Numbers with a fraction or an exponent. */
  fractions: number;
  /** `JSON.parse` would lose something: an integer of more than 15 digits, or an escaped surrogate. */
  lossy: boolean;
  /** The deepest nesting. */
  depth: number;
  /** Only ASCII: no UTF-8 to check. */
  ascii: boolean;
}

const quote = 0x22;
const backslash = 0x5c;

export function scanJson(bytes: Uint8Array): JsonScan {
  const end = bytes.length;
  let members = 0;
  let fractions = 0;
  let lossy = false;
  let depth = 0;
  let deepest = 0;
  let high = 0;
  let at = 0;
  while (at < end) {
    const byte = bytes[at++] as number;
    if (byte === quote) {
      while (at < end) {
        const inner = bytes[at++] as number;
        if (inner === quote) break;
        high |= inner;
        if (inner === backslash) {
          if (bytes[at] === 0x75 && isSurrogate(bytes, at)) lossy = true;
          at++;
        }
      }
    } else if (byte >= 0x61 && byte <= 0x7a) {
      // null, true and false: of a list of empty items they are most of the text
    } else if (byte === 0x3a) {
      members++;
    } else if (byte === 0x7b || byte === 0x5b) {
      if (++depth > deepest) deepest = depth;
    } else if (byte === 0x7d || byte === 0x5d) {
      depth--;
    } else if (byte >= 0x30 && byte <= 0x39) {
      const start = at - 1;
      let fraction = false;
      let next = bytes[at] as number;
      while (
        (next >= 0x30 && next <= 0x39) ||
        next === 0x2e ||
        next === 0x65 ||
        next === 0x45 ||
        next === 0x2b ||
        next === 0x2d
      ) {
        if (next === 0x2e || next === 0x65 || next === 0x45) fraction = true;
        next = bytes[++at] as number;
      }
      if (fraction) fractions++;
      else if (at - start > 15) lossy = true;
    } else {
      high |= byte;
    }
  }
  return { members, fractions, lossy, depth: deepest, ascii: high < 0x80 };
}

/** Whether the `u` at `at` begins an escaped surrogate, `uD8xx` to `uDFxx`. Only the slow parser knows whether it stands alone. */
function isSurrogate(bytes: Uint8Array, at: number): boolean {
  const first = bytes[at + 1];
  const second = bytes[at + 2] ?? 0;
  return (first === 0x64 || first === 0x44) && second >= 0x38;
}
