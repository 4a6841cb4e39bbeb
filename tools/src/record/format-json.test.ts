import { describe, expect, it } from "vitest";
import { formatJson } from "./format-json.js";

describe("formatJson", () => {
  it("keeps short values on one line and breaks long ones", () => {
    const long = "x".repeat(70);
    const value = { a: [1, 2], b: { c: long, d: long }, e: {} };
    const text = formatJson(value);
    expect(JSON.parse(text)).toEqual(value);
    expect(text.split("\n")).toEqual([
      "{",
      ' "a": [1, 2],',
      ' "b": {',
      `  "c": "${long}",`,
      `  "d": "${long}"`,
      " },",
      ' "e": {}',
      "}",
    ]);
  });
});
