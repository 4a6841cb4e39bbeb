export type { RandomBytes, RandomSource } from "./random-source.js";
export { systemRandom } from "./system-random.js";
export { createSeededRandom, type SeededRandom } from "./seeded-random.js";
export { randomUuid } from "./random-uuid.js";
export { randomInt, shuffled } from "./choose.js";
export { jittered } from "./jitter.js";
