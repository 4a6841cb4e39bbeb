export type { RandomSource } from "./random-source.js";
export { systemRandom } from "./system-random.js";
