import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type EvaluateOptions, type JsonPath, JsonPathError, parseJsonPath, relaxedJsonPath } from "./index.js";

// Made by upstream's own library: `go run . jsonpaths` in tools/answers/vocabulary. The first row holds the data.
interface Answer {
  printed?: string;
  error?: string;
  parseError?: string;
  panic?: string;
}
interface Row {
  template: string;
  strict: Answer;
  lenient: Answer;
  json: Answer;
}
const [first, ...rows] = JSON.parse(readFileSync(new URL("./testdata/jsonpaths.json", import.meta.url), "utf8")) as [
  { data: string },
  ...Row[],
];
const data = JSON.parse(first.data) as unknown;

function run(template: string, print: "print" | "printJson", options: EvaluateOptions): Answer {
  let path: JsonPath;
  try {
    path = parseJsonPath(template);
  } catch (error) {
    expect(error).toBeInstanceOf(JsonPathError);
    return { parseError: (error as Error).message };
  }
  try {
    return { printed: path[print](data, options) };
  } catch (error) {
    expect(error).toBeInstanceOf(JsonPathError);
    return { error: (error as Error).message };
  }
}

describe("JSONPath templates print as upstream's do", () => {
  for (const { template, strict, lenient, json } of rows) {
    it(JSON.stringify(template), () => {
      expect(run(template, "print", {})).toEqual(strict);
      expect(run(template, "print", { allowMissingKeys: true })).toEqual(lenient);
      expect(run(template, "printJson", { allowMissingKeys: true })).toEqual(json);
    });
  }
});

describe("paths for columns", () => {
  const cases = {
    name: "{.name}",
    ".a.b": "{.a.b}",
    "{a.b}": "{.a.b}",
    "{.a}": "{.a}",
    "": "",
    "{a}{b}": undefined,
    "{": undefined,
  };
  for (const [text, path] of Object.entries(cases))
    it(JSON.stringify(text), () => expect(relaxedJsonPath(text)).toBe(path));
});

describe("hostile templates", () => {
  it("many descents in a row end with an error", () => {
    const deep = JSON.parse(`${'{"a":'.repeat(400)}{}${"}".repeat(400)}`) as unknown;
    const template = `{${"..a".repeat(12)}}`;
    expect(() => parseJsonPath(template).print(deep, { allowMissingKeys: true })).toThrow("values");
  });
  it("ranges in ranges without an end, whose bodies run twice each, end with an error", () =>
    expect(() => parseJsonPath(`${"{range }".repeat(28)}{end}`).print({}, { allowMissingKeys: true })).toThrow(
      "too many values are visited",
    ));
  it("a long template is read without recursion", () =>
    expect(parseJsonPath(`{${".a".repeat(50_000)}}`).print({}, { allowMissingKeys: true })).toBe(""));
  it("a filter of nothing but operators is read in linear time", () =>
    expect(() => parseJsonPath(`{[?(@.a${"=".repeat(200_000)}\n)]}`)).toThrow(JsonPathError));
  it("deep data is walked without recursion", () => {
    let value: unknown = 1;
    for (let i = 0; i < 100_000; i++) value = [value];
    expect(parseJsonPath("{..none}").find(value, { allowMissingKeys: true })).toEqual([[]]);
  });
});
