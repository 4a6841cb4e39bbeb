import { encodeUtf8 } from "@coxswain/apimachinery/text";

const word = 2 ** 32;
/** The low part of the prime 2^88 + 0x13b. */
const primeLow = 0x13b;

/**
 * The 128-bit FNV-1a hash of a text, in hexadecimal: upstream sorts ports and subsets by it. Four words of 32 bits, the lowest
 * first: big integers would take some 20 times as long.
 */
export function fnv128(text: string): string {
  let [a, b, c, d] = [0x6295c58d, 0x62b82175, 0x07bb0142, 0x6c62272e];
  for (const byte of encodeUtf8(text)) {
    a = (a ^ byte) >>> 0;
    const low = a * primeLow;
    const second = b * primeLow + Math.floor(low / word);
    // The product with 2^88 begins at bit 24 of the third word.
    const third = c * primeLow + Math.floor(second / word) + ((a << 24) >>> 0);
    const fourth = d * primeLow + Math.floor(third / word) + (a >>> 8) + ((b << 24) >>> 0);
    a = low % word;
    b = second % word;
    c = third % word;
    d = fourth % word;
  }
  return [d, c, b, a].map((part) => part.toString(16).padStart(8, "0")).join("");
}
