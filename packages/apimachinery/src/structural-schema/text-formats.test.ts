import { describe, expect, it } from "vitest";
import { matchesTextFormat } from "./text-formats.js";

describe("the format duration", () => {
  const cases = [
    { text: "3h2m", matches: true },
    { text: "2 days", matches: true },
    { text: "12 34 5 weeks", matches: true },
    { text: "12 34 5", matches: false },
    { text: "5 apples", matches: false },
    { text: "99999999999999999999 days", matches: false },
  ];
  for (const { text, matches } of cases)
    it(`${text}: ${matches ? "is one" : "is none"}`, () => expect(matchesTextFormat(text, "duration")).toBe(matches));
  it("a long row of digits without a unit is read in linear time", () =>
    expect(matchesTextFormat("1 ".repeat(200_000) + "0".repeat(200_000), "duration")).toBe(false));
});
