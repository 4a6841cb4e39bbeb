import assert from "node:assert/strict";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, it } from "vitest";
import { createSchedulerCache } from "../cache/scheduler-cache.js";
import { uidOf } from "../pod/objects.js";
import { drawFrom, generateProblem } from "./generate-problem.test.support.js";
import { solve } from "./solve-problem.test.support.js";

describe("sums that are kept from one pod to the next", () => {
  it("lead to the same decisions as a cache that was filled at once", async () => {
    const random = createSeededRandom("kept sums");
    for (let round = 0; round < 25; round++) {
      const own = random.fork(String(round));
      const problem = generateProblem(own);
      const draw = drawFrom(own.fork("order"));
      const cache = createSchedulerCache();
      for (const node of problem.nodes) cache.addNode(node);
      let running: (typeof problem.pods)[number][] = [];
      for (const pod of problem.pods) {
        cache.addPod(pod);
        running.push(pod);
        if (draw.chance(30)) {
          const gone = draw.one(running);
          cache.removePod(uidOf(gone));
          running = running.filter((other) => other !== gone);
        }
        if (!draw.chance(40)) continue;
        const now = { ...problem, pods: running };
        assert.deepEqual(withoutVictims(await solve(now, cache.snapshot())), withoutVictims(await solve(now)));
      }
    }
  });
});

/** The order of pods on a node decides between equal victims, and removals change it. */
const withoutVictims = ({ filter, scores, preFilter }: Awaited<ReturnType<typeof solve>>): object => ({
  filter,
  scores,
  preFilter,
});
