import { describe, expect, it } from "vitest";
import { countResult, noProbeRun } from "./probe-run.js";
import { addProbe, noProbes } from "./probe-tally.js";

const reached = (results: string, probe: { successThreshold?: number; failureThreshold?: number }): string => {
  let run = noProbeRun;
  return [...results]
    .map((letter) => {
      const counted = countResult(run, letter === "s", probe);
      run = counted.run;
      return counted.isReached ? letter : "-";
    })
    .join("");
};

describe("results in a row", () => {
  const cases = [
    { name: "one success and three failures by default", probe: {}, results: "sffff", found: "s--ff" },
    { name: "another result begins anew", probe: { successThreshold: 2 }, results: "sfssfs", found: "---s--" },
    { name: "a threshold of one", probe: { failureThreshold: 1 }, results: "fsf", found: "fsf" },
  ];
  for (const { name, probe, results, found } of cases) it(name, () => expect(reached(results, probe)).toBe(found));
});

it("only the durations of successes are counted", () => {
  const tally = addProbe(addProbe(addProbe(noProbes, true, 0.02), true, 60), false, 3);
  expect(tally).toEqual({
    successful: 2,
    failed: 1,
    durations: [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1],
    durationSum: 60.02,
  });
});
