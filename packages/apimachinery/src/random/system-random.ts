import type { RandomSource } from "./random-source.js";

/** What the platform gives out at once. */
const mostAtOnce = 65_536;

/** Bytes are taken from the platform in blocks: asking it for sixteen at a time costs more than using them. */
const block = new Uint8Array(4096);
let used = block.length;

function take(length: number): Uint8Array {
  if (length > block.length / 4) return fill(new Uint8Array(length));
  if (used + length > block.length) {
    fill(block);
    used = 0;
  }
  const bytes = block.slice(used, used + length);
  block.fill(0, used, used + length); // nobody can read afterwards what was given out
  used += length;
  return bytes;
}

function fill(bytes: Uint8Array<ArrayBuffer>): Uint8Array {
  for (let at = 0; at < bytes.length; at += mostAtOnce) globalThis.crypto.getRandomValues(bytes.subarray(at, at + mostAtOnce));
  return bytes;
}

/** The platform's strong random source. */
export const systemRandom: RandomSource = {
  next: () => new DataView(take(4).buffer).getUint32(0) / 2 ** 32,
  bytes: take,
};
