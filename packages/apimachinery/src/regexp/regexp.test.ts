import { readFileSync } from "node:fs";
import { createSeededRandom, randomInt } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { orbitOf } from "./case-fold.js";
import { compileRegexp, type Match, quoteRegexp } from "./index.js";
import { parseRegexp } from "./parse.js";
import { pairsOf } from "./rune-set.js";

// Made by Go's own library: `go run . <table>` in tools/answers/vocabulary.
const table = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8")) as T;

interface Row {
  pattern: string;
  error?: string;
  names?: string[];
  /** By the number of the value: the first four matches with their groups. */
  found?: Record<string, number[][]>;
}

const positions = ({ start, end, groups }: Match): number[] => [
  start,
  end,
  ...groups.flatMap((group) => (group ? [group.start, group.end] : [-1, -1])),
];

describe("expressions match as Go's do", () => {
  const [{ values }, ...rows] = table<[{ values: string[] }, ...Row[]]>("regexps");
  for (const { pattern, error, names, found } of rows.filter((row) => row.error === undefined)) {
    it(JSON.stringify(pattern).slice(0, 80), () => {
      expect(error).toBeUndefined();
      const regexp = compileRegexp(pattern);
      const ours = values.flatMap((value, i) => {
        const all = regexp.findAll(value, 4).map(positions);
        return all.length === 0 ? [] : [[String(i), all] as const];
      });
      expect(Object.fromEntries(ours)).toEqual(found);
      expect(values.filter((value) => regexp.test(value))).toEqual(values.filter((_, i) => String(i) in (found ?? {})));
      expect(regexp.names).toEqual(names);
    });
  }
  for (const { pattern, error } of rows.filter((row) => row.error !== undefined)) {
    it(`refuses ${JSON.stringify(pattern).slice(0, 80)}`, () => expect(() => compileRegexp(pattern)).toThrow(error));
  }
});

describe("characters", () => {
  /** As the Go program sums them up. */
  const summary = (pattern: string): [number, number] => {
    const { syntax } = parseRegexp(pattern);
    let count = 0;
    let sum = 0x811c9dc5;
    for (const [first, last] of syntax.op === "runes" ? pairsOf(syntax.set) : []) {
      for (let rune = first; rune <= last; rune++) {
        if (rune >= 0xd800 && rune <= 0xdfff) continue;
        count++;
        sum = Math.imul(sum ^ (rune & 0xff), 0x01000193);
        sum = Math.imul(sum ^ ((rune >> 8) & 0xff), 0x01000193);
        sum = Math.imul(sum ^ (rune >> 16), 0x01000193);
      }
    }
    return [count, sum >>> 0];
  };
  for (const [pattern, ...expected] of table<[string, number, number][]>("unicode-classes")) {
    it(pattern, () => expect(summary(pattern)).toEqual(expected));
  }
  it("case folds as in Go, for every letter there is", () => {
    const [line = ""] = table<string[]>("case-orbits");
    expect(line.split(" ").length).toBeGreaterThan(1400);
    const differing = line.split(" ").filter((orbit) => {
      const members = Array.from(orbit, (char) => char.codePointAt(0) ?? 0).sort((a, b) => a - b);
      return members.some((member) => String(orbitOf(member)) !== String(members));
    });
    expect(differing).toEqual([]);
  });
});

describe("hostile expressions", () => {
  const long = "a".repeat(100_000);
  const within = (ms: number, work: () => void): void => {
    const start = performance.now();
    work();
    expect(performance.now() - start).toBeLessThan(ms);
  };
  const cases = [
    { name: "nested repetition", pattern: "^(a+)+$", text: `${long}b` },
    { name: "overlapping alternatives", pattern: "^(a|aa|a*)*$", text: `${long}b` },
    { name: "many stars in a row", pattern: `${"a*".repeat(50)}b`, text: long },
    { name: "counted repetition in counted repetition", pattern: "^((a{1,10}){1,10}){1,10}$", text: long },
    { name: "a search from every position", pattern: "[a-z]*x", text: long },
    { name: "more states than are remembered", pattern: "(a|b)*a(a|b){16}c", text: "ab".repeat(50_000) },
  ];
  for (const { name, pattern, text } of cases) {
    it(`${name} takes linear time`, () => within(3000, () => expect(compileRegexp(pattern).test(text)).toBe(false)));
  }
  it("groups are found in linear time, too", () =>
    within(3000, () => expect(compileRegexp("(a*)*(b|c)").find(long)).toBeUndefined()));
  it("compiling a huge expression is bounded", () => {
    within(3000, () => expect(() => compileRegexp(`(?:${"a{1000}".repeat(1000)})`)).toThrow("expression too large"));
    within(3000, () => compileRegexp(Array.from({ length: 50_000 }, (_, i) => `a${i % 10}`).join("|")));
    within(3000, () => expect(() => compileRegexp(`[${"[:".repeat(100_000)}`)).toThrow("missing closing ]"));
  });
  it("deep but not too deep compiles", () =>
    expect(compileRegexp(`${"(".repeat(998)}a${")".repeat(998)}`).test("xa")).toBe(true));
  it("half of a pair is a character that is no character", () => {
    expect(compileRegexp("^\\x{FFFD}$").test("\ud83d")).toBe(true);
    expect(compileRegexp("^.$").find("\ud83d")?.end).toBe(1);
  });
});

describe("the automaton and the search agree", () => {
  it("on thousands of random expressions and texts", () => {
    const random = createSeededRandom("regexp");
    const pick = (options: readonly string[]): string => options[randomInt(options.length, random)] ?? "";
    const make = (depth: number): string => {
      if (depth === 0) return pick(["a", "b", "c", ".", "[ab]", "[^a]", "\\b", "^", "$", "(?m)^", "", "\\B"]);
      switch (randomInt(5, random)) {
        case 0:
          return `(${make(depth - 1)}|${make(depth - 1)})`;
        case 1:
          return `(?:${make(depth - 1)})${pick(["*", "+", "?", "{2}", "{1,3}", "*?", "+?"])}`;
        case 2:
          return `(${make(depth - 1)})`;
        default:
          return make(depth - 1) + make(depth - 1);
      }
    };
    const disagreements: unknown[] = [];
    for (let i = 0; i < 3000; i++) {
      const pattern = make(randomInt(4, random));
      const regexp = compileRegexp(pattern);
      const text = Array.from({ length: randomInt(8, random) }, () => pick(["a", "b", "c", "\n"])).join("");
      if (regexp.test(text) !== (regexp.find(text) !== undefined)) disagreements.push({ pattern, text });
    }
    expect(disagreements).toEqual([]);
  });
});

describe("quoting", () => {
  it("a quoted text matches itself", () => {
    const text = "a.b*c[d]{2}(e)|^$\\+?";
    expect(compileRegexp(`^${quoteRegexp(text)}$`).test(text)).toBe(true);
  });
});
