import { maxNodeScore } from "../framework/plugin.js";

/** Scales scores so that the largest is 100; `reverse`: so that the largest is 0. */
export function normalizeScores(scores: Float64Array, reverse: boolean): void {
  let largest = 0;
  for (const score of scores) if (score > largest) largest = score;
  if (largest === 0) {
    if (reverse) scores.fill(maxNodeScore);
    return;
  }
  for (let at = 0; at < scores.length; at++) {
    const scaled = Math.trunc((maxNodeScore * (scores[at] as number)) / largest);
    scores[at] = reverse ? maxNodeScore - scaled : scaled;
  }
}
