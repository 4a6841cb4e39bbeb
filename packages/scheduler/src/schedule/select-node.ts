import { type RandomSource, randomInt } from "@coxswain/runtime/random";

/** The place of the largest score; among equal ones, one at random. */
export function selectNode(scores: Float64Array, random: RandomSource): number {
  let best = 0;
  let equals = 1;
  for (let at = 1; at < scores.length; at++) {
    const difference = (scores[at] as number) - (scores[best] as number);
    if (difference > 0) {
      best = at;
      equals = 1;
    } else if (difference === 0 && randomInt(++equals, random) === 0) best = at;
  }
  return best;
}
