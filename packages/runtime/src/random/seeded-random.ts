import type { RandomSource } from "./random-source.js";

/** A repeatable source. Not for secrets. */
export interface SeededRandom extends RandomSource {
  /** A source of its own for each name, whatever the others draw: parts of a program do not disturb each other's luck. */
  fork(name: string): SeededRandom;
}

/** The same seed draws the same numbers, on every machine (sfc32). */
export function createSeededRandom(seed: string | number): SeededRandom {
  const name = String(seed);
  const mix = hash(name);
  let [a, b, c] = [mix(), mix(), mix()];
  let counter = 1;
  const word = (): number => {
    const sum = (((a + b) | 0) + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  // The first words still look like the seed.
  for (let i = 0; i < 12; i++) word();
  const drawInto = (bytes: Uint8Array): void => {
    for (let i = 0; i < bytes.length; i++) bytes[i] = word() >>> 24;
  };
  return {
    next: () => word() / 2 ** 32,
    bytes(length) {
      const bytes = new Uint8Array(length);
      drawInto(bytes);
      return bytes;
    },
    drawInto,
    fork: (part) => createSeededRandom(`${name}/${part}`),
  };
}

/** Words that depend on every character of a text. */
function hash(text: string): () => number {
  let state = 1_779_033_703 ^ text.length;
  for (let i = 0; i < text.length; i++) {
    state = Math.imul(state ^ text.charCodeAt(i), 3_432_918_353);
    state = (state << 13) | (state >>> 19);
  }
  return () => {
    state = Math.imul(state ^ (state >>> 16), 2_246_822_507);
    state = Math.imul(state ^ (state >>> 13), 3_266_489_909);
    state ^= state >>> 16;
    return state | 0;
  };
}
