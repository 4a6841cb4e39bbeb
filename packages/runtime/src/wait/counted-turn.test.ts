import { describe, expect, it } from "vitest";
import { createCountedTurn } from "./index.js";

describe("a counted turn", () => {
  it("pauses after a number of steps, whatever time they took", async () => {
    const turn = createCountedTurn(5);
    const pauses: number[] = [];
    for (let step = 1; step <= 12; step++) {
      const pause = turn.spend(1);
      if (pause === undefined) continue;
      pauses.push(step);
      await pause;
    }
    expect(pauses).toEqual([5, 10]);
    expect(turn.spend(100)).toBeInstanceOf(Promise);
  });
});
