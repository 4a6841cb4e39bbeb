import { describe, expect, it } from "vitest";
import { parsePortRange } from "./port-range.js";

describe("a range of ports", () => {
  const cases = [
    { text: "30000-32767", range: { first: 30_000, last: 32_767 } },
    { text: "30000+10", range: { first: 30_000, last: 30_010 } },
    { text: "8080", range: { first: 8080, last: 8080 } },
  ];
  for (const { text, range } of cases) it(text, () => expect(parsePortRange(text)).toEqual(range));
  for (const text of ["", "a-b", "9-8", "1-70000"])
    it(`${text || "nothing"} is none`, () => expect(() => parsePortRange(text)).toThrow(/no range of ports/));
});
