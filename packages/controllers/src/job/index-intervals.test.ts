import { describe, expect, it } from "vitest";
import {
  countCommon,
  countIndexes,
  firstOutside,
  formatIntervals,
  includesIndex,
  mergeIntervals,
  parseIntervals,
  withIndexes,
} from "./index-intervals.js";

describe("reading and writing intervals of indexes", () => {
  const rows: { name: string; text: string; completions?: number; written: string; count: number }[] = [
    { name: "nothing", text: "", written: "", count: 0 },
    { name: "single indexes", text: "0,2,5", written: "0,2,5", count: 3 },
    { name: "two neighbours with a comma", text: "3,4", written: "3,4", count: 2 },
    { name: "more neighbours with a dash", text: "0-3,5,6,8", written: "0-3,5,6,8", count: 7 },
    { name: "neighbouring intervals as one", text: "0,1,2-4", written: "0-4", count: 5 },
    { name: "without what cannot be read", text: "0,,x,2-y,4", written: "0,4", count: 2 },
    {
      name: "cut where the Job has fewer completions",
      text: "0-3,5,7-9",
      completions: 8,
      written: "0-3,5,7",
      count: 6,
    },
    { name: "without what lies beyond the completions", text: "2,9-12,15", completions: 9, written: "2", count: 1 },
  ];
  for (const { name, text, completions = 100, written, count } of rows)
    it(name, () => {
      const intervals = parseIntervals(text, completions);
      expect({ written: formatIntervals(intervals), count: countIndexes(intervals) }).toEqual({ written, count });
    });
});

describe("sets of indexes", () => {
  const of = (text: string) => parseIntervals(text, 1000);
  const merges: { one: string; other: string; merged: string; common: number }[] = [
    { one: "", other: "1,3", merged: "1,3", common: 0 },
    { one: "0-2", other: "3-5", merged: "0-5", common: 0 },
    { one: "0-5,9", other: "2-3,7,9-11", merged: "0-5,7,9-11", common: 3 },
    { one: "10-20", other: "0-30", merged: "0-30", common: 11 },
  ];
  for (const { one, other, merged, common } of merges)
    it(`"${one}" and "${other}" are "${merged}", and ${common} are in both`, () => {
      expect(formatIntervals(mergeIntervals(of(one), of(other)))).toBe(merged);
      expect(countCommon(of(one), of(other))).toBe(common);
    });
  it("take indexes in any order", () => expect(formatIntervals(withIndexes(of("1-3"), [7, 0, 4]))).toBe("0-4,7"));
  it("know what they have", () =>
    expect([0, 1, 3, 4, 7, 8].map((index) => includesIndex(of("1-3,7"), index))).toEqual([
      false,
      true,
      true,
      false,
      true,
      false,
    ]));
  const outside: { taken: string; count: number; completions: number; found: number[] }[] = [
    { taken: "", count: 3, completions: 5, found: [0, 1, 2] },
    { taken: "0,2-4", count: 3, completions: 8, found: [1, 5, 6] },
    { taken: "0-4", count: 3, completions: 6, found: [5] },
    { taken: "7-9", count: 9, completions: 4, found: [0, 1, 2, 3] },
  ];
  for (const { taken, count, completions, found } of outside)
    it(`outside of "${taken}" the first ${count} of ${completions} are ${found}`, () =>
      expect(firstOutside(of(taken), { count, completions })).toEqual(found));
});
