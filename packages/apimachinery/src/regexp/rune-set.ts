/** Characters as ranges of code points, [first, last, first, last, …]: sorted, apart from each other, never changed. */
export type RuneSet = readonly number[];

export const lastRune = 0x10_ffff;
export const anyRune: RuneSet = [0, lastRune];

/** Sorts and merges ranges. */
export function runeSet(pairs: readonly (readonly [number, number])[]): RuneSet {
  const sorted = [...pairs].sort(([a], [b]) => a - b);
  const set: number[] = [];
  for (const [first, last] of sorted) {
    const end = set.length - 1;
    if (end >= 0 && first <= (set[end] as number) + 1) set[end] = Math.max(set[end] as number, last);
    else set.push(first, last);
  }
  return set;
}

export function pairsOf(set: RuneSet): [number, number][] {
  const pairs: [number, number][] = [];
  for (let i = 0; i < set.length; i += 2) pairs.push([set[i] as number, set[i + 1] as number]);
  return pairs;
}

export const unionOf = (sets: readonly RuneSet[]): RuneSet => runeSet(sets.flatMap(pairsOf));

export function negate(set: RuneSet): RuneSet {
  const rest: number[] = [];
  let next = 0;
  for (const [first, last] of pairsOf(set)) {
    if (first > next) rest.push(next, first - 1);
    next = last + 1;
  }
  if (next <= lastRune) rest.push(next, lastRune);
  return rest;
}

export const intersectionOf = (a: RuneSet, b: RuneSet): RuneSet => negate(unionOf([negate(a), negate(b)]));

export function hasRune(set: RuneSet, rune: number): boolean {
  let low = 0;
  let high = set.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (rune > (set[2 * middle + 1] as number)) low = middle + 1;
    else high = middle;
  }
  return low < set.length >> 1 && rune >= (set[2 * low] as number);
}
