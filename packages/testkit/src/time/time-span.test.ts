import { describe, expect, it } from "vitest";
import { spanMs } from "./time-span.js";

describe("spans of time", () => {
  const cases: readonly [number | string, number][] = [
    [1500, 1500],
    ["90s", 90_000],
    ["1d12h", 129_600_000],
    ["0.5h", 1_800_000],
    ["250ms", 250],
    ["2w", 1_209_600_000],
  ];
  for (const [text, ms] of cases) it(`${text} is ${ms} ms`, () => expect(spanMs(text)).toBe(ms));
  for (const text of ["", "7", "d", "7 d", "7days", "1h-2m"])
    it(`${JSON.stringify(text)} is refused`, () => expect(() => spanMs(text)).toThrow("is no span of time"));
});
