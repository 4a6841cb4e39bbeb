import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import * as field from "./index.js";

// Made by upstream's own library: `go run . <table>` in tools/answers/vocabulary.
const table = <T>(name: string): T[] =>
  JSON.parse(readFileSync(new URL(`./testdata/${name}.json`, import.meta.url), "utf8")) as T[];

describe("strings are quoted as Go quotes them", () => {
  for (const { text, quoted } of table<{ text: string; quoted: string }>("quoted")) {
    it(quoted, () => expect(field.quoteGo(text)).toBe(quoted));
  }
});

describe("field errors have upstream's texts", () => {
  const path = field.fieldPath("spec", "a").index(2).child("b").key("k.x");
  type Make = (path: field.FieldPath, ...args: unknown[]) => field.FieldError;
  const constructors = { ...field } as unknown as Record<string, Make>;
  for (const row of table<{
    name: string;
    call: [string, ...unknown[]];
    type: string;
    field: string;
    body: string;
    text: string;
  }>("field-errors")) {
    it(`${row.name}: ${row.body}`, () => {
      const [name, ...args] = row.call;
      const error = (constructors[name] as Make)(path, ...args);
      expect({
        type: error.type,
        field: error.field,
        body: field.fieldErrorBody(error),
        text: field.fieldErrorText(error),
      }).toEqual({
        type: row.type,
        field: row.field,
        body: row.body,
        text: row.text,
      });
    });
  }
  it("no path prints as nil does in Go", () => expect(field.required(undefined).field).toBe("<nil>"));
  it("integers beyond 2^53 are shown in full", () =>
    expect(field.fieldErrorBody(field.invalid(path, { n: 2n ** 62n }))).toBe(
      'Invalid value: {"n":4611686018427387904}',
    ));
  it("a text that is already made is shown as it is", () =>
    expect(field.fieldErrorBody(field.invalid(path, new field.Verbatim("[]string{}")))).toBe(
      "Invalid value: []string{}",
    ));
});

describe("several messages", () => {
  it("none is none", () => expect(field.aggregateText([])).toBeUndefined());
  it("one stands alone, also when repeated", () => expect(field.aggregateText(["a", "a"])).toBe("a"));
  it("more stand in brackets", () => expect(field.aggregateText(["a", "b", "a"])).toBe("[a, b]"));

  const list = Array.from({ length: 20_000 }, (_, at) => `element ${at}`);
  const errors = list.map((name) => field.invalid(field.fieldPath("list"), list, `not with ${name}`));
  it("that show a long list each are cut at about a megabyte", () => {
    expect(field.fieldErrorsText(errors)?.length).toBeLessThan(2_000_000);
    expect(field.fieldErrorsText(errors)).toMatch(/, and 1999\d more\]$/);
    expect(field.fieldErrorCauses(errors).length).toBeLessThan(10);
  });
});
