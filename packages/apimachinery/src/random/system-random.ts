import type { RandomSource } from "./random-source.js";

// A call of getRandomValues costs far more than the few bytes that most callers want, so small wishes share one.
const pool = new Uint8Array(4096);
let used = pool.length;

function pooled(length: number): number {
  if (used + length > pool.length) {
    globalThis.crypto.getRandomValues(pool);
    used = 0;
  }
  const start = used;
  used += length;
  return start;
}

/** One call of getRandomValues gives at most 64 KiB. */
const mostPerCall = 65_536;

function fresh(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += mostPerCall) globalThis.crypto.getRandomValues(bytes.subarray(at, at + mostPerCall));
  return bytes;
}

/** The platform's strong random source. */
export const systemRandom: RandomSource = {
  next() {
    const at = pooled(4);
    const word = (((pool[at] ?? 0) << 24) | ((pool[at + 1] ?? 0) << 16) | ((pool[at + 2] ?? 0) << 8) | (pool[at + 3] ?? 0)) >>> 0;
    pool.fill(0, at, at + 4);
    return word / 2 ** 32;
  },
  bytes(length) {
    if (length > 256) return fresh(length);
    const at = pooled(length);
    const bytes = pool.slice(at, at + length);
    // What was handed out may become a key; it does not stay here.
    pool.fill(0, at, at + length);
    return bytes;
  },
};
