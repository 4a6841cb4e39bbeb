import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { type IntOrString, intValue, parseIntOrString, scaledValue } from "./index.js";

// Made by upstream's own library: `go run . int-or-strings` in tools/answers/vocabulary.
interface Row {
  text: string;
  parsed: IntOrString;
  value: number;
  scaled: { total: number; up: Answer; down: Answer }[];
}
type Answer = { value: number } | { error: string };
const rows = JSON.parse(readFileSync(new URL("./testdata/int-or-strings.json", import.meta.url), "utf8")) as Row[];

function answer(value: IntOrString, total: number, round: "up" | "down"): Answer {
  try {
    return { value: scaledValue(value, { total, round }) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

describe("integers or strings", () => {
  for (const { text, parsed, value, scaled } of rows) {
    it(JSON.stringify(text), () => {
      expect(parseIntOrString(text)).toBe(parsed);
      expect(intValue(text)).toBe(value);
      const ours = scaled.map(({ total }) => ({
        total,
        up: answer(parsed, total, "up"),
        down: answer(parsed, total, "down"),
      }));
      expect(ours).toEqual(scaled);
    });
  }
  it("nothing cannot be scaled", () =>
    expect(() => scaledValue(undefined, { total: 1 })).toThrow("nil value for IntOrString"));
});
