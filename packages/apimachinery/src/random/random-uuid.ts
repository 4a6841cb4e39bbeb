import type { RandomSource } from "./random-source.js";

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A random UUID (version 4), as every object's uid is one. */
export function randomUuid(random: RandomSource): string {
  const bytes = random.bytes(16);
  let text = "";
  for (let i = 0; i < 16; i++) {
    let byte = bytes[i] ?? 0;
    if (i === 6) byte = (byte & 0x0f) | 0x40;
    if (i === 8) byte = (byte & 0x3f) | 0x80;
    text += hex[byte];
    if (i === 3 || i === 5 || i === 7 || i === 9) text += "-";
  }
  return text;
}
