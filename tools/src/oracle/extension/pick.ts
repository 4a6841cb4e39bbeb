import { type RandomSource, randomInt, shuffled } from "@coxswain/runtime/random";

export function pick<T>(items: readonly T[], random: RandomSource): T {
  const item = items[randomInt(items.length, random)];
  if (item === undefined) throw new Error("there is nothing to choose from");
  return item;
}

/** At most `limit` of the items, by chance, in their order. */
export function sample<T>(items: readonly T[], limit: number, random: RandomSource): T[] {
  if (items.length <= limit) return [...items];
  return shuffled([...items.keys()], random)
    .slice(0, limit)
    .sort((a, b) => a - b)
    .map((at) => items[at] as T);
}
