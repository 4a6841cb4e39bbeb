import type { RandomSource } from "./random-source.js";

/** A whole number from 0 up to, not including, `end`. */
export const randomInt = (end: number, random: RandomSource): number => Math.floor(random.next() * end);

/** The items in random order; the list itself stays. */
export function shuffled<T>(items: readonly T[], random: RandomSource): T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = randomInt(i + 1, random);
    [mixed[i], mixed[j]] = [mixed[j] as T, mixed[i] as T];
  }
  return mixed;
}
