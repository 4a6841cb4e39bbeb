/** Go measures, cuts and sorts strings by their UTF-8 bytes; JavaScript by UTF-16 units. These follow Go. */

const beyondAscii = /[^\0-\x7f]/;
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** How many bytes the text takes in UTF-8. A lone surrogate counts as U+FFFD. */
export function utf8Length(text: string): number {
  let bytes = text.length;
  // The expression engine runs through ASCII much faster than a loop does.
  if (bytes > 64 && !beyondAscii.test(text)) return bytes;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A pair is two units and four bytes.
    if (unit >= 0xd800 && unit < 0xdc00 && isLowSurrogate(text.charCodeAt(i + 1))) i++;
  }
  return bytes;
}

const isLowSurrogate = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

/** At most `maxBytes` bytes of the text; a character cut in two becomes U+FFFD. */
export const truncateUtf8 = (text: string, maxBytes: number): string =>
  utf8Length(text) <= maxBytes ? text : decoder.decode(encoder.encode(text).subarray(0, maxBytes));

/** Orders by UTF-8 bytes. Only pairs of surrogates against U+E000 and above differ from JavaScript's own order. */
export function compareUtf8(a: string, b: string): number {
  const shared = Math.min(a.length, b.length);
  for (let i = 0; i < shared; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return byteOrder(left) - byteOrder(right);
  }
  return a.length - b.length;
}

/** Moves the surrogates, which stand for characters beyond U+FFFF, behind all other units. */
const byteOrder = (unit: number): number => (unit >= 0xe000 ? unit - 0x800 : unit >= 0xd800 ? unit + 0x2000 : unit);
