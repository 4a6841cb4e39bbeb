import { describe, expect, it } from "vitest";
import { packetRules } from "./packet-rules.js";
import { endOf, faultKinds, planFaults } from "./plan-faults.js";

const seeds = Array.from({ length: 50 }, (_, index) => planFaults(index + 1));

describe("the faults of a seed", () => {
  it("are the same for the same seed", () => expect(planFaults(7)).toEqual(planFaults(7)));
  it("are of every kind within as many seeds as there are kinds", () =>
    expect(new Set(seeds.slice(0, faultKinds.length).map(([first]) => first?.kind)).size).toBe(faultKinds.length));
  it("meet every machine", () =>
    expect(new Set(seeds.flat().map(({ machine }) => machine))).toEqual(new Set([0, 1, 2])));
  it("some overlap, and all end within ten seconds", () => {
    const overlap = seeds.filter(([first, second]) => first && second && second.atMs < first.atMs + first.lastsMs);
    expect(overlap.length).toBeGreaterThan(10);
    expect(Math.max(...seeds.map(endOf))).toBeLessThan(10_000);
  });
});

describe("rules for packets", () => {
  const cases = [
    {
      name: "a machine that is cut off drops what comes from the others and what goes to them",
      kind: "cut-machine",
      rules: ["in ip saddr { b, c } drop", "out ip daddr { b, c } drop"],
    },
    { name: "a deaf one only what comes", kind: "deaf-machine", rules: ["in ip saddr { b, c } drop"] },
    { name: "a pause needs none", kind: "pause-member", rules: [] },
  ] as const;
  for (const { name, kind, rules } of cases)
    it(name, () => expect(packetRules(kind, { others: ["b", "c"], clients: "d" })).toEqual(rules));
});
