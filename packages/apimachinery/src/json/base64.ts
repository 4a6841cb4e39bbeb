const letters = new TextEncoder().encode("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/");
const values = new Uint8Array(128);
for (let value = 0; value < 64; value++) values[letters[value] as number] = value;
const ascii = new TextDecoder();

/** The bytes of canonical base64. */
export function decodeBase64(text: string): Uint8Array {
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  for (let from = 0, to = 0; from < text.length; from += 4, to += 3) {
    const word =
      (letter(text, from) << 18) |
      (letter(text, from + 1) << 12) |
      (letter(text, from + 2) << 6) |
      letter(text, from + 3);
    bytes[to] = word >> 16;
    bytes[to + 1] = word >> 8;
    bytes[to + 2] = word;
  }
  return bytes;
}

const letter = (text: string, at: number): number => values[text.charCodeAt(at) & 127] as number;

export function encodeBase64(bytes: Uint8Array): string {
  const output = new Uint8Array(Math.ceil(bytes.length / 3) * 4);
  let to = 0;
  for (let from = 0; from < bytes.length; from += 3) {
    const word = ((bytes[from] as number) << 16) | ((bytes[from + 1] ?? 0) << 8) | (bytes[from + 2] ?? 0);
    output[to++] = letters[word >> 18] as number;
    output[to++] = letters[(word >> 12) & 63] as number;
    output[to++] = from + 1 < bytes.length ? (letters[(word >> 6) & 63] as number) : 0x3d;
    output[to++] = from + 2 < bytes.length ? (letters[word & 63] as number) : 0x3d;
  }
  return ascii.decode(output);
}
