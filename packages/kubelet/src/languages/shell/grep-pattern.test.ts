import { describe, expect, it } from "vitest";
import { grepPattern, type PatternOptions } from "./grep-pattern.js";

const rows: { name: string; pattern: string; options?: PatternOptions; yes: string[]; no: string[] }[] = [
  { name: "a plain text is found anywhere", pattern: "b-c", yes: ["ab-cd"], no: ["abc"] },
  { name: "^ is the start of a line", pattern: "^A=", yes: ["A=1"], no: ["BA=1", "^A="] },
  { name: "$ is its end", pattern: "sh$", yes: ["/bin/sh"], no: ["sh -c"] },
  { name: "a dollar sign after a backslash is itself", pattern: "a\\$", yes: ["a$b"], no: ["a"] },
  { name: "a point is any character", pattern: "a.c", yes: ["abc"], no: ["ac"] },
  { name: "classes and stars", pattern: "^[0-9]*x", yes: ["12x", "x"], no: ["a1x"] },
  { name: "basic expressions take + and | as they are", pattern: "a+|b", yes: ["a+|b"], no: ["aa", "b"] },
  { name: "and as operators after a backslash", pattern: "^\\(a\\|b\\)\\+$", yes: ["abab"], no: ["abc", "(a"] },
  { name: "a class of basic expressions keeps its signs", pattern: "[+(]x", yes: ["+x", "(x"], no: ["x"] },
  { name: "a class may begin with a bracket", pattern: "[]+]x", yes: ["]x", "+x"], no: ["x"] },
  { name: "-E has them as operators", pattern: "^(a|b)+$", options: { syntax: "extended" }, yes: ["abba"], no: ["c"] },
  { name: "-F has none", pattern: "^a.c$", options: { syntax: "plain" }, yes: ["x^a.c$"], no: ["abc"] },
  { name: "-i", pattern: "^HOST.*=", options: { ignoresCase: true }, yes: ["hostname="], no: ["host"] },
  { name: "-x", pattern: "ab*", options: { isWholeLine: true }, yes: ["abb"], no: ["abbc"] },
  { name: "-w", pattern: "db", options: { isWholeWord: true }, yes: ["the db-0"], no: ["dba"] },
  {
    name: "-w of a plain text",
    pattern: "a.c",
    options: { syntax: "plain", isWholeWord: true },
    yes: ["a.c"],
    no: ["abc"],
  },
];

describe("what grep looks for", () => {
  for (const { name, pattern, options, yes, no } of rows)
    it(name, () => {
      const test = grepPattern(pattern, options);
      if (typeof test === "string") throw new Error(test);
      const found = [...yes, ...no].filter((line) => test.test(line));
      expect(found).toEqual(yes);
    });

  it("answers what is wrong with a pattern", () => {
    expect(grepPattern("a[", { syntax: "extended" })).toMatch(/missing closing \]/);
    expect(grepPattern(`${"a.".repeat(200)}`)).toBe("regular expression too big");
  });
});
