import type { Steps } from "@coxswain/runtime/steps";

/** So many are sorted at once. */
const runLength = 256;
const microsPerComparison = 0.1;

/** A sorted copy, at once. */
export const sort = <T>(items: readonly T[], compare: (a: T, b: T) => number): T[] => [...items].sort(compare);

/** A sorted copy, as `toSorted` makes it: equal ones stay in their order. */
export function* sortInSteps<T>(items: readonly T[], compare: (a: T, b: T) => number): Steps<T[]> {
  if (items.length <= runLength) return sort(items, compare);
  let sorted: T[] = [];
  for (let at = 0; at < items.length; at += runLength) {
    for (const item of items.slice(at, at + runLength).sort(compare)) sorted.push(item);
    yield runLength * 8 * microsPerComparison;
  }
  for (let width = runLength; width < items.length; width *= 2) {
    const merged: T[] = [];
    for (let at = 0; at < sorted.length; at += 2 * width) yield* merge(merged, sorted, at, width, compare);
    sorted = merged;
  }
  return sorted;
}

/** Appends two neighbouring runs of `width` as one. */
function* merge<T>(
  into: T[],
  from: readonly T[],
  start: number,
  width: number,
  compare: (a: T, b: T) => number,
): Steps<void> {
  const middle = Math.min(start + width, from.length);
  const end = Math.min(start + 2 * width, from.length);
  let left = start;
  let right = middle;
  while (left < middle || right < end) {
    const takesLeft = right >= end || (left < middle && compare(from[left] as T, from[right] as T) <= 0);
    into.push(from[takesLeft ? left++ : right++] as T);
    if (into.length % runLength === 0) yield runLength * microsPerComparison;
  }
}
