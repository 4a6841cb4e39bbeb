import { describe, expect, it } from "vitest";
import { changedPaths } from "./changed-paths.js";

const json = (text: string): unknown => JSON.parse(text);
const ready = (status: string) => ({ type: "Ready", status });

describe("changedPaths", () => {
  const cases = [
    { name: "equal: nothing", before: { a: { b: [1] } }, after: { a: { b: [1] } }, paths: [] },
    { name: "a member in depth", before: { a: { b: 1, c: 2 } }, after: { a: { b: 3, c: 2 } }, paths: ["a.b: 1 → 3"] },
    { name: "a member that is new", before: { a: 1 }, after: { a: 1, b: 2 }, paths: ["b: - → 2"] },
    { name: "a member that is gone", before: { a: 1, b: 2 }, after: { a: 1 }, paths: ["b: 2 → -"] },
    { name: "null is a value", before: { a: 1 }, after: { a: null }, paths: ["a: 1 → null"] },
    { name: "an object in place of a list", before: { a: [] }, after: { a: {} }, paths: ["a: [] → {}"] },
    {
      name: "items by their type",
      before: { c: [{ type: "New" }, ready("False")] },
      after: { c: [ready("True")] },
      paths: ['c[New]: {"type":"New"} → -', 'c[Ready].status: "False" → "True"'],
    },
    {
      name: "items without a name by their place",
      before: { a: [1, 2] },
      after: { a: [1, 3] },
      paths: ["a[1]: 2 → 3"],
    },
    {
      name: "items of which two have one name by their place",
      before: { a: [{ name: "x" }, { name: "x" }] },
      after: { a: [{ name: "x" }, { name: "x", v: 1 }] },
      paths: ["a[1].v: - → 1"],
    },
    {
      name: "what every write changes is left out",
      before: { metadata: { resourceVersion: "1", managedFields: [], name: "a" } },
      after: { metadata: { resourceVersion: "2", managedFields: [{}], name: "a" } },
      paths: [],
    },
    {
      name: "a key named as a member of every object",
      before: json('{"data":{"__proto__":"a","toString":"b"}}'),
      after: json('{"data":{"__proto__":"c"}}'),
      paths: ['data.__proto__: "a" → "c"', 'data.toString: "b" → -'],
    },
    {
      name: "such a key that is new",
      before: json('{"data":{}}'),
      after: json('{"data":{"__proto__":"c","constructor":"d"}}'),
      paths: ['data.__proto__: - → "c"', 'data.constructor: - → "d"'],
    },
  ];
  const text = (value: unknown): string => (value === undefined ? "-" : JSON.stringify(value));
  for (const { name, before, after, paths } of cases)
    it(name, () =>
      expect(
        changedPaths(before, after).map((each) => `${each.path}: ${text(each.before)} → ${text(each.after)}`),
      ).toEqual(paths),
    );

  it("has 60 paths at most", () => {
    const many = (value: number) => Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`m${at}`, value]));
    expect(changedPaths(many(1), many(2))).toHaveLength(60);
  });
});
