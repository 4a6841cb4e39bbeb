import { describe, expect, it } from "vitest";
import { faultKinds, planRun, traffics } from "./plan-run.js";

const hundred = Array.from({ length: 100 }, (_, index) => planRun(index + 1));

describe("the plan of a run", () => {
  it("is the same for the same seed", () => expect(planRun(7)).toEqual(planRun(7)));
  it("every kind of traffic meets every fault within 25 seeds", () => {
    const met = new Set(hundred.slice(0, 25).map(({ traffic, faults }) => `${traffic} ${faults[0]?.kind}`));
    expect(met.size).toBe(traffics.length * faultKinds.length);
  });
  it("half of the runs compact", () => expect(hundred.filter(({ compacts }) => compacts)).toHaveLength(50));
  it("each has one to three faults", () =>
    expect(new Set(hundred.map(({ faults }) => faults.length))).toEqual(new Set([1, 2, 3])));
});
