import { expect, it } from "vitest";
import { nearbyValues } from "./nearby-values.js";

it("a list is near one whose items are moved, dropped, repeated or changed", () =>
  expect(nearbyValues(["a", "b"])).toEqual([
    ["a", "b"],
    ["b", "a"],
    ["b"],
    ["a", "b", "a"],
    ["ax", "b"],
    ["", "b"],
    ["a", "bx"],
    ["a", ""],
  ]));
it("an object is near one with a member more, less or changed", () =>
  expect(nearbyValues({ n: 1 })).toEqual([{ n: 1 }, { n: 1, added: 1 }, {}, { n: 2 }, { n: -1 }]));
