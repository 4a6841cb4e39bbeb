import { describe, expect, it } from "vitest";
import { failuresInARow, restartDelayMs } from "./restart-delay.js";

const cases = [
  { name: "the first failure: a second", before: 0, ranMs: 10, delayMs: 1_000 },
  { name: "each further one: twice as long", before: 2, ranMs: 10, delayMs: 4_000 },
  { name: "never longer than half a minute", before: 20, ranMs: 10, delayMs: 30_000 },
  { name: "after a minute of work: a second again", before: 20, ranMs: 60_000, delayMs: 1_000 },
];

describe("a part that ended is started again", () => {
  for (const { name, before, ranMs, delayMs } of cases)
    it(name, () => expect(restartDelayMs(failuresInARow(before, ranMs))).toBe(delayMs));
});
