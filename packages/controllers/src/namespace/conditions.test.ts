import type { NamespaceCondition } from "@coxswain/api/core/v1";
import { expect, it } from "vitest";
import { type DeletionFindings, planConditions } from "./conditions.js";

const nothing: DeletionFindings = { deletionErrors: [], remaining: [], finalizers: new Map() };
const well = planConditions([], nothing, "t0") as NamespaceCondition[];
const texts = (findings: Partial<DeletionFindings>): string[] =>
  (planConditions(well, { ...nothing, ...findings }, "t1") ?? [])
    .filter(({ status }) => status === "True")
    .map(({ type, reason, message }) => `${type} ${reason} ${message}`);

it("the first pass writes all five conditions in order", () => {
  expect(well.map(({ type, status, lastTransitionTime }) => [type, status, lastTransitionTime])).toEqual([
    ["NamespaceDeletionDiscoveryFailure", "False", "t0"],
    ["NamespaceDeletionGroupVersionParsingFailure", "False", "t0"],
    ["NamespaceDeletionContentFailure", "False", "t0"],
    ["NamespaceContentRemaining", "False", "t0"],
    ["NamespaceFinalizersRemaining", "False", "t0"],
  ]);
});

const cases: { name: string; findings: Partial<DeletionFindings>; texts: string[] }[] = [
  {
    name: "an API server that does not answer is a discovery failure",
    findings: { discovery: { failing: 1, message: "m/v1: down" } },
    texts: [
      "NamespaceDeletionDiscoveryFailure DiscoveryFailed Discovery failed for some groups, 1 failing: m/v1: down",
    ],
  },
  {
    name: "errors are sorted and counted",
    findings: { deletionErrors: ["b", "a"] },
    texts: [
      "NamespaceDeletionContentFailure ContentDeletionFailed Failed to delete all resource types, 2 remaining: a, b",
    ],
  },
  {
    name: "what remains is counted by resource and by finalizer",
    findings: {
      remaining: [
        { resource: { group: "", resource: "pods" }, count: 2 },
        { resource: { group: "apps", resource: "deployments" }, count: 1 },
      ],
      finalizers: new Map([["example.com/keep", 3]]),
    },
    texts: [
      "NamespaceContentRemaining SomeResourcesRemain Some resources are remaining: deployments.apps has 1 resource instances, pods. has 2 resource instances",
      "NamespaceFinalizersRemaining SomeFinalizersRemain Some content in the namespace has finalizers remaining: example.com/keep in 3 resource instances",
    ],
  },
];
for (const row of cases) it(row.name, () => expect(texts(row.findings)).toEqual(row.texts));

it("nothing is written when nothing changed", () => expect(planConditions(well, nothing, "t1")).toBeUndefined());

it("the time of transition changes with the status, not with the message", () => {
  const failing = (error: string) => ({ ...nothing, deletionErrors: [error] });
  const first = planConditions(well, failing("a"), "t1") ?? [];
  const second = planConditions(first, failing("b"), "t2") ?? [];
  expect(first[2]?.lastTransitionTime).toBe("t1");
  expect(second[2]).toMatchObject({ lastTransitionTime: "t1", message: expect.stringContaining("b") });
});

it("conditions of other types stay", () => {
  const other = { type: "Other", status: "True" as const };
  expect(planConditions([other], nothing, "t1")?.[0]).toEqual(other);
});
