import type { RandomSource } from "./random-source.js";

/** Bytes are taken from the platform in blocks: asking it for sixteen at a time costs more than using them. */
const block = new Uint8Array(4096);
let used = block.length;

/** One call gives at most 64 KiB. */
const mostPerCall = 65_536;

function fresh(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += mostPerCall) globalThis.crypto.getRandomValues(bytes.subarray(at, at + mostPerCall));
  return bytes;
}

function take(length: number): Uint8Array {
  if (length > block.length / 4) return fresh(length);
  if (used + length > block.length) {
    globalThis.crypto.getRandomValues(block);
    used = 0;
  }
  const bytes = block.slice(used, used + length);
  block.fill(0, used, used + length); // nobody can read afterwards what was given out
  used += length;
  return bytes;
}

/** The platform's strong random source. */
export const systemRandom: RandomSource = {
  next: () => new DataView(take(4).buffer).getUint32(0) / 2 ** 32,
  bytes: take,
};
