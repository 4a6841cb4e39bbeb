import { describe, expect, it } from "vitest";
import { compareStatuses, type Listed } from "./compare-statuses.js";

const listed = (name: string, status: Record<string, unknown>): Listed => ({ items: [{ metadata: { name }, status }] });
const condition = (type: string, at: string): object => ({ type, lastTransitionTime: at });

const cases: { name: string; ours: Listed; theirs: Listed; differences: string[] }[] = [
  {
    name: "times, addresses of pods, the order of conditions and names of a Job's pods are left out",
    ours: listed("job-a", {
      podIP: "10.1.0.1",
      conditions: [condition("A", "2026-01-01T00:00:00Z"), condition("B", "2026-01-01T00:00:00Z")],
    }),
    theirs: listed("job-b", {
      conditions: [condition("B", "2026-01-02T00:00:00Z"), condition("A", "2026-01-02T00:00:00Z")],
      podIP: "10.2.0.9",
    }),
    differences: [],
  },
  {
    name: "members that differ are named",
    ours: listed("a", { phase: "Failed" }),
    theirs: listed("a", { phase: "Running" }),
    differences: ['phase: ours "Failed", KWOK "Running"'],
  },
  {
    name: "a pod that one side lacks is named",
    ours: { items: [] },
    theirs: listed("a", {}),
    differences: ["ours has no such pod"],
  },
];

describe("statuses of two clusters", () => {
  for (const { name, ours, theirs, differences } of cases)
    it(name, () => expect(compareStatuses(ours, theirs).flatMap((row) => row.differences)).toEqual(differences));
});
