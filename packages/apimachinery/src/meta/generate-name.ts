import type { RandomSource } from "@coxswain/runtime/random";
import { truncateUtf8 } from "../text/utf8-order.js";

/** No vowels and nothing easily confused, so that no words appear. */
const alphabet = "bcdfghjklmnpqrstvwxz2456789";
const suffixLength = 5;
/** A generated name fits a DNS label (63) with its suffix. */
const longestBase = 63 - suffixLength;

/** `length` characters of the alphabet that generated names use. */
export function randomName(length: number, random: RandomSource): string {
  let name = "";
  while (name.length < length) name += alphabet[Math.floor(random.next() * alphabet.length)];
  return name;
}

/** A name made of a `metadata.generateName`: the base, cut to 58 bytes, and five random characters. */
export const generateName = (base: string, random: RandomSource): string =>
  truncateUtf8(base, longestBase) + randomName(suffixLength, random);
