import { createSeededRandom } from "@coxswain/runtime/random";
import { runAtOnce } from "@coxswain/runtime/steps";
import { describe, expect, it } from "vitest";
import { sortInSteps } from "./sort-in-steps.js";

describe("sorting in steps", () => {
  const random = createSeededRandom(1);
  for (const length of [0, 1, 255, 256, 257, 512, 1_000, 5_003])
    it(`orders ${length} items as the built-in sort does, equal ones in their order`, () => {
      const items = Array.from({ length }, (_, at) => ({ key: Math.floor(random.next() * 50), at }));
      const compare = (a: { key: number }, b: { key: number }): number => a.key - b.key;
      expect(runAtOnce(sortInSteps(items, compare))).toEqual([...items].sort(compare));
    });

  it("yields before it has compared more than a few thousand", () => {
    let compared = 0;
    let longest = 0;
    let before = 0;
    const items = Array.from({ length: 100_000 }, () => random.next());
    const steps = sortInSteps(items, (a, b) => (compared++, a - b));
    for (let step = steps.next(); !step.done; step = steps.next()) {
      longest = Math.max(longest, compared - before);
      before = compared;
    }
    expect(longest).toBeLessThan(4_000);
  });
});
