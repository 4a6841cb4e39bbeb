import type { RandomSource } from "./random-source.js";

const hex = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, "0"));

/** A random UUID (version 4), as every object's uid is one. */
export function randomUuid(random: RandomSource): string {
  const b = random.bytes(16);
  const part = (from: number, to: number): string => {
    let text = "";
    for (let at = from; at < to; at++) text += hex[b[at] as number];
    return text;
  };
  b[6] = ((b[6] as number) & 0x0f) | 0x40;
  b[8] = ((b[8] as number) & 0x3f) | 0x80;
  return `${part(0, 4)}-${part(4, 6)}-${part(6, 8)}-${part(8, 10)}-${part(10, 16)}`;
}
