/** Completion indexes from `first` to `last`, both included. */
export interface Interval {
  readonly first: number;
  readonly last: number;
}

/** In growing order, without neighbours that could be one. */
export type Intervals = readonly Interval[];

/** Reads `status.completedIndexes` and its like: "1,3-5,7". What cannot be read, and what is not below `completions`, is left out. */
export function parseIntervals(text: string, completions: number): Intervals {
  const intervals: Interval[] = [];
  if (text === "") return intervals;
  for (const part of text.split(",")) {
    const [from = "", to] = part.split("-");
    const first = parseIndex(from);
    if (first === undefined) continue;
    if (first >= completions) break;
    const end = to === undefined ? first : parseIndex(to);
    if (end === undefined) continue;
    append(intervals, { first, last: to === undefined ? end : Math.min(end, completions - 1) });
  }
  return intervals;
}

const parseIndex = (text: string): number | undefined => (/^\d{1,15}$/.test(text) ? Number(text) : undefined);

/** Two neighbours are written with a comma, more with a dash. */
export const formatIntervals = (intervals: Intervals): string =>
  intervals
    .map(({ first, last }) => (last === first ? `${first}` : `${first}${last === first + 1 ? "," : "-"}${last}`))
    .join(",");

export const countIndexes = (intervals: Intervals): number =>
  intervals.reduce((count, { first, last }) => count + last - first + 1, 0);

export function includesIndex(intervals: Intervals, index: number): boolean {
  let [low, high] = [0, intervals.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((intervals[middle]?.last ?? 0) >= index) high = middle;
    else low = middle + 1;
  }
  return (intervals[low]?.first ?? Number.POSITIVE_INFINITY) <= index;
}

/** The intervals and these indexes, in any order. */
export function withIndexes(intervals: Intervals, indexes: Iterable<number>): Intervals {
  const sorted = [...indexes].sort((a, b) => a - b);
  return mergeIntervals(
    intervals,
    sorted.map((index) => ({ first: index, last: index })),
  );
}

export function mergeIntervals(one: Intervals, other: Intervals): Intervals {
  const merged: Interval[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    const [a, b] = [one[i], other[j]];
    const next = b === undefined || (a !== undefined && a.first < b.first) ? one[i++] : other[j++];
    if (next) append(merged, next);
  }
  return merged;
}

/** How many indexes both have. */
export function countCommon(one: Intervals, other: Intervals): number {
  let count = 0;
  let [i, j] = [0, 0];
  for (;;) {
    const [a, b] = [one[i], other[j]];
    if (a === undefined || b === undefined) return count;
    count += Math.max(0, Math.min(a.last, b.last) - Math.max(a.first, b.first) + 1);
    if (a.last <= b.last) i++;
    if (b.last <= a.last) j++;
  }
}

/** Up to `count` indexes below `completions` that are in none of the intervals, the smallest first. */
export function firstOutside(
  intervals: Intervals,
  { count, completions }: { count: number; completions: number },
): number[] {
  const found: number[] = [];
  let candidate = 0;
  for (const { first, last } of [...intervals, { first: completions, last: completions }]) {
    for (; found.length < count && candidate < Math.min(first, completions); candidate++) found.push(candidate);
    candidate = Math.max(candidate, last + 1);
  }
  return found;
}

function append(intervals: Interval[], { first, last }: Interval): void {
  const before = intervals.at(-1);
  if (before === undefined || first > before.last + 1) intervals.push({ first, last });
  else if (before.last < last) intervals[intervals.length - 1] = { first: before.first, last };
}
