import type { RandomSource } from "@coxswain/runtime/random";

/** One of them, by chance; those of weight 0 never. Undefined: there is none. */
export function chooseByWeight<One extends { readonly weight: number }>(
  all: readonly One[],
  random: RandomSource,
): One | undefined {
  if (all.length === 1) return all[0]!.weight > 0 ? all[0] : undefined;
  let total = 0;
  for (const { weight } of all) total += weight;
  let rest = random.next() * total;
  return all.find(({ weight }) => (rest -= weight) < 0);
}
