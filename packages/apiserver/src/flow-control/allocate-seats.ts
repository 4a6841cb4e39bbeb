import { largest, smallest } from "@coxswain/apimachinery/append";
/** One priority level's claim: what it must get, what it may get, and what it would like. */
export interface Claim {
  readonly lowerBound: number;
  readonly upperBound: number;
  /** At least the lower bound. */
  readonly target: number;
}

export type Allocation =
  | { readonly kind: "allocated"; readonly seats: readonly number[]; readonly fairShare: number }
  | { readonly kind: "impossible"; readonly why: string };

const smallestTarget = 0.001;
const epsilon = 1e-7;

/**
 * Divides `sum` so that each item gets the same fraction of its target, within its bounds.
 * The same problem has one answer: `fairShare` is that fraction.
 */
export function allocateSeats(sum: number, claims: readonly Claim[]): Allocation {
  const why = problemOf(sum, claims);
  if (why !== undefined) return { kind: "impossible", why };
  if (sum === 0) return { kind: "allocated", seats: claims.map(() => 0), fairShare: 0 };
  const relative = claims.map(({ lowerBound, upperBound, target }) => {
    const wanted = Math.max(target, smallestTarget);
    return { target: wanted, low: lowerBound / wanted, high: upperBound / wanted };
  });
  const lows = total(claims.map(({ lowerBound }) => lowerBound));
  const smallestLow = smallest(relative.map(({ low }) => low));
  if (lows - sum > -epsilon)
    return { kind: "allocated", seats: claims.map(({ lowerBound }) => lowerBound), fairShare: smallestLow };
  if (sum - total(claims.map(({ upperBound }) => upperBound)) > -epsilon)
    return {
      kind: "allocated",
      seats: claims.map(({ upperBound }) => upperBound),
      fairShare: largest(relative.map(({ high }) => high)),
    };
  const fairShare = findShare(sum, lows, relative);
  return {
    kind: "allocated",
    seats: claims.map(({ lowerBound, upperBound }, at) =>
      Math.max(lowerBound, Math.min(upperBound, fairShare * (relative[at]?.target ?? 0))),
    ),
    fairShare,
  };
}

interface Relative {
  readonly target: number;
  readonly low: number;
  readonly high: number;
}

/** Raises the share from where all have their lower bound; between two bounds the sum grows evenly with it. */
function findShare(sum: number, lows: number, claims: readonly Relative[]): number {
  const bounds = claims.flatMap(({ target, low, high }) => [
    { at: low, change: target },
    { at: high, change: -target },
  ]);
  bounds.sort((a, b) => a.at - b.at);
  let share = bounds[0]?.at ?? 0;
  let soFar = lows;
  let growth = 0;
  for (const { at, change } of bounds) {
    if (at > share && growth > epsilon * smallestTarget) {
      const reached = share + (sum - soFar) / growth;
      if (reached <= at) return reached;
      soFar += (at - share) * growth;
    }
    share = Math.max(share, at);
    growth += change;
  }
  return share;
}

function problemOf(sum: number, claims: readonly Claim[]): string | undefined {
  if (sum < 0) return "negative sums are not supported";
  for (const { lowerBound, upperBound, target } of claims) {
    if (lowerBound < 0) return `a lower bound is ${lowerBound}`;
    if (target < lowerBound) return `a target of ${target} is below its lower bound of ${lowerBound}`;
    if (upperBound < lowerBound) return `an upper bound of ${upperBound} is below its lower bound of ${lowerBound}`;
  }
  const low = total(claims.map(({ lowerBound }) => lowerBound));
  const high = total(claims.map(({ upperBound }) => upperBound));
  if (low - sum > epsilon) return `the lower bounds sum to ${low}, more than ${sum}`;
  return sum - high > epsilon ? `the upper bounds sum to ${high}, less than ${sum}` : undefined;
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);
