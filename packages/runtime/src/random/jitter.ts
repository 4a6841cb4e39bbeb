import type { RandomSource } from "./random-source.js";

/** `ms` made longer by a random share of up to `factor` of it. */
export const jittered = (ms: number, factor: number, random: RandomSource): number =>
  factor > 0 ? ms + random.next() * factor * ms : ms;
