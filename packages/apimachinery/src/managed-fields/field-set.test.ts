import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { deepFreeze } from "../json/index.js";
import { anyElement, excludeFields, filterSet, includeFields } from "./gen/field-filter.js";
import {
  difference,
  differenceWithBelow,
  type FieldSet,
  has,
  intersection,
  isEmpty,
  isSubset,
  union,
} from "./gen/field-set.js";
import { readFieldsV1 } from "./gen/fields-v1.js";
import { pathsOf } from "./paths-of.js";
import { equalSets, setOf } from "./set-of.js";

const elements = ["f:a", "f:b", "f:c", 'k:{"name":"x"}', 'k:{"name":"y"}', 'v:"s"', "v:2"];

function randomPaths(seed: string): string[][] {
  const random = createSeededRandom(seed);
  const below = (n: number): number => Math.floor(random.next() * n);
  return Array.from({ length: below(12) }, () =>
    Array.from({ length: 1 + below(4) }, () => elements[below(elements.length)] as string),
  );
}

const key = (path: readonly string[]): string => JSON.stringify(path);
const keys = (set: FieldSet): string[] => [...pathsOf(set)].map(key).sort();
const isBelow = (path: readonly string[], prefix: readonly string[]): boolean =>
  prefix.every((element, index) => element === path[index]);

describe("sets of fields are sets of paths", () => {
  for (let seed = 0; seed < 200; seed++) {
    const [left, right] = [randomPaths(`left ${seed}`), randomPaths(`right ${seed}`)];
    const [a, b] = deepFreeze([setOf(...left), setOf(...right)]) as [FieldSet, FieldSet];
    const [lefts, rights] = [new Set(left.map(key)), new Set(right.map(key))];
    const filtered = (keep: (path: string[]) => boolean): string[] => [...new Set(left.filter(keep).map(key))].sort();
    it(`union, difference and intersection (seed ${seed})`, () => {
      expect(keys(a)).toEqual([...lefts].sort());
      expect(keys(union(a, b))).toEqual([...new Set([...lefts, ...rights])].sort());
      expect(keys(difference(a, b))).toEqual(filtered((path) => !rights.has(key(path))));
      expect(keys(differenceWithBelow(a, b))).toEqual(
        filtered((path) => !right.some((prefix) => isBelow(path, prefix))),
      );
      expect(keys(intersection(a, b))).toEqual(filtered((path) => rights.has(key(path))));
      expect(isSubset(a, b)).toBe([...lefts].every((path) => rights.has(path)));
      expect(left.every((path) => has(a, path))).toBe(true);
      expect(equalSets(union(a, b), union(b, a))).toBe(true);
      // Always canonical: what is read back is the very same.
      for (const set of [a, union(a, b), difference(a, b), intersection(a, b), differenceWithBelow(a, b)])
        expect(readFieldsV1(set)).toBe(set);
    });
  }
});

describe("sets share what does not change", () => {
  const set = setOf(["f:spec", "f:a"], ["f:status", "f:b"]);
  it("a union that adds nothing is the set", () => expect(union(set, setOf(["f:spec", "f:a"]))).toBe(set));
  it("a difference that takes nothing is the set", () => expect(difference(set, setOf(["f:spec", "f:z"]))).toBe(set));
  it("other branches are the same", () =>
    expect(union(set, setOf(["f:spec", "f:c"]))["f:status"]).toBe(set["f:status"]));
  it("nothing is empty", () => expect(isEmpty(difference(set, set))).toBe(true));
  it("a path does not include those below it", () =>
    expect(keys(difference(set, setOf(["f:spec"])))).toEqual(keys(set)));
});

describe("filters", () => {
  const set = setOf(
    ["f:spec", "f:containers", 'k:{"name":"a"}', "f:resources", "f:limits"],
    ["f:spec", "f:containers", 'k:{"name":"a"}', "f:image"],
    ["f:status", "f:phase"],
    ["f:metadata", "f:labels"],
  );
  it("leave out what is reset", () => expect(keys(filterSet(excludeFields(setOf(["f:status"])), set))).toHaveLength(3));
  it("keep only what is named", () =>
    expect(keys(filterSet(includeFields(["spec", "containers", anyElement, "resources"]), set))).toEqual([
      key(["f:spec", "f:containers", 'k:{"name":"a"}', "f:resources", "f:limits"]),
    ]));
});
