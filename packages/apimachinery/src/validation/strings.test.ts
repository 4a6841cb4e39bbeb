import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as validation from "./index.js";

// Made by upstream's own library: `go run . strings` in tools/answers/vocabulary.
const rows = JSON.parse(readFileSync(new URL("./testdata/strings.json", import.meta.url), "utf8")) as [
  { sentences: string[] },
  ...{ value: string; problems: Record<string, number[]> }[],
];
const [{ sentences }, ...cases] = rows;
const checks = Object.entries(validation).filter(([name]) => name in names());

function names(): Record<string, true> {
  return Object.fromEntries(
    cases.flatMap(({ problems }) => Object.keys(problems)).map((name) => [name, true as const]),
  );
}

describe("checks of strings answer as upstream's do", () => {
  it("every check that upstream has is here", () =>
    expect(checks.map(([name]) => name).sort()).toEqual(Object.keys(names()).sort()));
  for (const { value, problems } of cases) {
    it(JSON.stringify(value).slice(0, 60), () => {
      const ours = checks.map(([name, check]) => [name, (check as (text: string) => string[])(value)]);
      expect(ours).toEqual(checks.map(([name]) => [name, (problems[name] ?? []).map((number) => sentences[number])]));
    });
  }
});

describe("a trailing hyphen of a prefix", () => {
  it("is allowed where a name follows", () => expect(validation.nameIsDnsLabel("web-", true)).toEqual([]));
  it("is not allowed at the end of a name", () => expect(validation.nameIsDnsLabel("web-")).toHaveLength(1));
  it("a lone hyphen stays wrong", () => expect(validation.nameIsDnsLabel("-", true)).toHaveLength(1));
});

describe("lengths and order of strings", () => {
  const samples = [
    "",
    "a",
    "é",
    "\u20ac",
    "\u{1f600}",
    "a\u{1f600}b",
    "\ud800",
    "\uffff",
    "\ue000",
    "\ud800a",
    "\udc00\ud800",
  ];
  for (const text of samples) {
    it(`${JSON.stringify(text)} has the bytes that TextEncoder writes`, () =>
      expect(validation.utf8Length(text)).toBe(new TextEncoder().encode(text).length));
  }
  it("orders by bytes, so that astral characters come last", () =>
    expect(["\u{1f600}", "\uffff", "\ue000", "b", "a", "", "ab"].sort(validation.compareUtf8)).toEqual([
      "",
      "a",
      "ab",
      "b",
      "\ue000",
      "\uffff",
      "\u{1f600}",
    ]));
  it("cuts at a byte", () => expect(validation.truncateUtf8("aé", 2)).toBe("a\ufffd"));
});
