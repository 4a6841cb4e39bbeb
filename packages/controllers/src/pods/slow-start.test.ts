import { describe, expect, it } from "vitest";
import { slowStart } from "./slow-start.js";

describe("starting slowly", () => {
  const rows: { name: string; count: number; failsFrom: number; calls: number; successes: number }[] = [
    { name: "does nothing for none", count: 0, failsFrom: 99, calls: 0, successes: 0 },
    { name: "does all of them while they succeed", count: 10, failsFrom: 99, calls: 10, successes: 10 },
    { name: "stops after one where the first fails", count: 10, failsFrom: 0, calls: 1, successes: 0 },
    { name: "finishes the group in which one failed", count: 10, failsFrom: 4, calls: 7, successes: 4 },
  ];
  for (const { name, count, failsFrom, calls, successes } of rows)
    it(name, async () => {
      let called = 0;
      const result = await slowStart(count, async (index) => {
        called++;
        if (index >= failsFrom) throw new Error(`number ${index}`);
      });
      expect({ called, successes: result.successes }).toEqual({ called: calls, successes });
      expect(result.error === undefined).toBe(calls === successes);
    });
});
