import { describe, expect, it } from "vitest";
import { changedPods, type Listing } from "./changed-pods.js";

const listing = (...rows: [id: string, podUid: string, state: number][]): Listing =>
  new Map(rows.map(([id, podUid, state]) => [id, { podUid, state }]));

const before = listing(["c1", "p1", 1], ["c2", "p2", 1], ["s2", "p2", 0]);
const cases: { name: string; after: Listing; changed: string[] }[] = [
  { name: "nobody, where nothing changed", after: before, changed: [] },
  {
    name: "the pod of a container that ended",
    after: listing(["c1", "p1", 2], ["c2", "p2", 1], ["s2", "p2", 0]),
    changed: ["p1"],
  },
  { name: "the pod of what is gone", after: listing(["c1", "p1", 1], ["s2", "p2", 0]), changed: ["p2"] },
  { name: "the pod of what is new", after: new Map([...before, ...listing(["c3", "p3", 0])]), changed: ["p3"] },
];

describe("a relist wakes", () => {
  for (const { name, after, changed } of cases)
    it(name, () => expect([...changedPods(before, after)]).toEqual(changed));
});
