import { describe, expect, it } from "vitest";
import { dropAnnotation, parseIntProblem } from "../definition/number-annotation.js";

describe("annotations that are numbers", () => {
  const cases = [
    { text: "7", problem: undefined },
    { text: "-7", problem: undefined },
    { text: "", problem: 'strconv.ParseInt: parsing "": invalid syntax' },
    { text: "1.5", problem: 'strconv.ParseInt: parsing "1.5": invalid syntax' },
    { text: "9223372036854775808", problem: 'strconv.ParseInt: parsing "9223372036854775808": value out of range' },
  ];
  for (const c of cases)
    it(`${JSON.stringify(c.text)}: ${c.problem ?? "fine"}`, () => expect(parseIntProblem(c.text)).toBe(c.problem));
  it("leave no empty annotations behind", () => {
    const metadata = { annotations: { a: "1" } };
    dropAnnotation(metadata, "a");
    expect(metadata).toEqual({});
  });
});
