import { describe, expect, it } from "vitest";
import { findDifferences, formatDifference } from "./differences.js";

describe("findDifferences", () => {
  it("ignores the order of members and finds what differs, is missing or is too much", () => {
    const want = [{ step: "get", status: 200, headers: { vary: "a" }, body: { a: 1, b: [1, 2], c: { d: "x" } } }];
    const got = [{ step: "get", status: 200, headers: {}, body: { c: { d: "y", e: true }, b: [1], a: 1 } }];
    expect(findDifferences(want, got).map(formatDifference)).toEqual([
      'get: headers.vary: want "a", got nothing',
      "get: body.b.1: want 2, got nothing",
      'get: body.c.d: want "x", got "y"',
      "get: body.c.e: want nothing, got true",
    ]);
  });

  it("reports a step without an answer", () => {
    expect(findDifferences([{ step: "get", status: 200 }], [])).toEqual([
      { step: "get", path: "status", want: 200, got: undefined },
    ]);
  });
});
