import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { fieldErrorText } from "../field/index.js";
import { compareResourceVersions, parseResourceVersion } from "./index.js";

// Made by upstream's own library: `go run . resource-versions` in tools/answers/vocabulary.
interface Row {
  text: string;
  parsed: { value?: string; error?: string };
  compared: Record<string, { value?: number; error?: string }>;
}
const rows = JSON.parse(readFileSync(new URL("./testdata/resource-versions.json", import.meta.url), "utf8")) as Row[];

function compared(a: string, b: string): { value: number } | { error: string } {
  try {
    return { value: Math.sign(compareResourceVersions(a, b)) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

describe("resource versions", () => {
  for (const { text, parsed, compared: answers } of rows) {
    it(JSON.stringify(text), () => {
      const { revision, error } = parseResourceVersion(text);
      const ours = error ? { error: fieldErrorText(error) } : { value: String(revision) };
      // Upstream's numbers are larger than ours can be.
      const expected =
        parsed.value === undefined
          ? parsed
          : { value: String(Math.min(Number(parsed.value), Number.MAX_SAFE_INTEGER)) };
      expect(ours).toEqual(expected);
      for (const [other, answer] of Object.entries(answers)) expect(compared(text, other)).toEqual(answer);
    });
  }
});
