import type { RandomSource } from "./random-source.js";

/** The platform's strong random source. */
export const systemRandom: RandomSource = {
  next: () => {
    const word = globalThis.crypto.getRandomValues(new Uint32Array(1))[0] ?? 0;
    return word / 2 ** 32;
  },
  bytes: (length) => globalThis.crypto.getRandomValues(new Uint8Array(length)),
};
