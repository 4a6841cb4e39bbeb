import { quoteGo } from "@coxswain/apimachinery/field";

export interface Interval {
  readonly first: number;
  readonly last: number;
}

/** `1,3-5,7` as intervals, or what is wrong with it. */
export function readIndexes(text: string, completions: number): { count: number } | { problem: string } {
  let count = 0;
  let previous: number | undefined;
  for (const part of text === "" ? [] : text.split(",")) {
    const interval = readInterval(part, completions);
    if (typeof interval === "string") return { problem: interval };
    if (previous !== undefined && previous >= interval.first)
      return { problem: `non-increasing order, previous: ${previous}, current: ${interval.first}` };
    count += interval.last - interval.first + 1;
    previous = interval.last;
  }
  return { count };
}

/** A text instead of an interval is what is wrong. */
function readInterval(text: string, completions: number): Interval | string {
  const limits = text.split("-");
  if (limits.length > 2)
    return `the fragment ${quoteGo(text)} violates the requirement that an index interval can have at most two parts separated by '-'`;
  const numbers: number[] = [];
  for (const limit of limits) {
    if (!/^[+]?\d+$/.test(limit)) return `cannot convert string to integer for index: ${quoteGo(limit)}`;
    const index = Number(limit);
    if (index >= completions) return `too large index: ${quoteGo(limit)}`;
    numbers.push(index);
  }
  const [first = 0, last = first] = numbers;
  if (numbers.length === 2 && first >= last) return `non-increasing order, previous: ${first}, current: ${last}`;
  return { first, last };
}

/** The first index that is in both, where there is one. Parts that cannot be read are passed over. */
export function findOverlap(completed: string, failed: string, completions: number): number | undefined {
  const intervals = (text: string): Interval[] =>
    (text === "" ? [] : text.split(","))
      .map((part) => readInterval(part, completions))
      .filter((part) => typeof part !== "string");
  const [one, other] = [intervals(completed), intervals(failed)];
  for (let i = 0, j = 0; ; ) {
    const [a, b] = [one[i], other[j]];
    if (!a || !b) return undefined;
    if (a.first <= b.last && b.first <= a.last) return Math.max(a.first, b.first);
    if (a.first <= b.first) i++;
    else j++;
  }
}
