const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const encoder = new TextEncoder();

/** The text, or undefined when the bytes are not UTF-8. A byte order mark is text like any other. */
export function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined; // the only thing a fatal decoder throws for
  }
}

export const encodeUtf8 = (text: string): Uint8Array => encoder.encode(text);

/** As Go reads it: every byte that begins no valid sequence becomes one U+FFFD (the platform's decoder replaces whole broken sequences). */
export function decodeUtf8Lossy(bytes: Uint8Array): string {
  const whole = decodeUtf8(bytes);
  if (whole !== undefined) return whole;
  let text = "";
  let from = 0;
  for (let at = 0; at < bytes.length; ) {
    const size = sequenceLength(bytes, at);
    if (size === 0) {
      if (from < at) text += strict.decode(bytes.subarray(from, at));
      text += "\ufffd";
      from = ++at;
    } else {
      at += size;
    }
  }
  return text + strict.decode(bytes.subarray(from));
}

/** The length of the valid sequence at `at`, 0 if there is none. */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  const second = bytes[at + 1] ?? 0;
  if (first < 0xc2 || first > 0xf4 || !isTail(second)) return 0;
  if (first < 0xe0) return 2;
  if ((first === 0xe0 && second < 0xa0) || (first === 0xed && second > 0x9f) || !isTail(bytes[at + 2] ?? 0)) return 0;
  if (first < 0xf0) return 3;
  if ((first === 0xf0 && second < 0x90) || (first === 0xf4 && second > 0x8f) || !isTail(bytes[at + 3] ?? 0)) return 0;
  return 4;
}

const isTail = (byte: number): boolean => byte >= 0x80 && byte <= 0xbf;
