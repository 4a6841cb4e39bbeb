import type { RandomSource } from "./random-source.js";

const hex = Array.from("0123456789abcdef", (digit) => digit.charCodeAt(0));
const hyphen = 0x2d;
/** The codes and the bytes of the UUID that is being made: one text at the end costs less than sixteen pieces of it. */
const codes: number[] = Array.from({ length: 36 }, () => hyphen);

const bytes = new Uint8Array(16);

/** A random UUID (version 4), as every object's uid is one. */
export function randomUuid(random: RandomSource): string {
  random.drawInto(bytes);
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
  let at = 0;
  for (let i = 0; i < 16; i++) {
    if (i === 4 || i === 6 || i === 8 || i === 10) at++; // the hyphen is there
    const byte = bytes[i] as number;
    codes[at++] = hex[byte >> 4] as number;
    codes[at++] = hex[byte & 0x0f] as number;
  }
  return String.fromCharCode(...codes);
}
