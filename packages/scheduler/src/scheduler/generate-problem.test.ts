import assert from "node:assert/strict";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, it } from "vitest";
import { generateProblem } from "./generate-problem.test.support.js";
import { solve } from "./solve-problem.test.support.js";

describe("generated problems", () => {
  it("are of all kinds: some pods fit, some are refused, some take others' place", async () => {
    const random = createSeededRandom("kinds");
    const kinds = { fits: 0, refusedAtOnce: 0, preempts: 0, hopeless: 0 };
    for (let at = 0; at < 200; at++) {
      const { preFilter, scores, pick } = await solve(generateProblem(random.fork(String(at))));
      if (scores) kinds.fits++;
      else if (preFilter) kinds.refusedAtOnce++;
      else if (pick) kinds.preempts++;
      else kinds.hopeless++;
    }
    for (const [kind, seen] of Object.entries(kinds)) assert.ok(seen >= 4, `${kind}: ${seen}`);
  });
});
