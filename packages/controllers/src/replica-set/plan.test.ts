import type { ReplicaSet, ReplicaSetStatus } from "@coxswain/api/apps/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { describe, expect, it } from "vitest";
import { testPod } from "../pods/pods.test.support.js";
import { planReplicas, planStatus } from "./plan.js";

const now = Date.UTC(2026, 0, 1);
const replicaSet = (replicas: number, status?: ReplicaSetStatus, minReadySeconds = 0): ReplicaSet => ({
  metadata: { name: "web", generation: 2 },
  spec: { replicas, minReadySeconds, selector: {}, template: { metadata: { labels: { app: "web" } } } },
  ...(status && { status }),
});
const pods = (count: number) => Array.from({ length: count }, (_, index) => testPod({ name: `p${index}`, node: "n" }));

describe("how many pods are created or deleted", () => {
  const rows: { name: string; replicas: number; pods: number; create: number; remove: number }[] = [
    { name: "none where there are as many as there should be", replicas: 3, pods: 3, create: 0, remove: 0 },
    { name: "those that are missing", replicas: 5, pods: 3, create: 2, remove: 0 },
    { name: "at most 500 at a time", replicas: 1200, pods: 3, create: 500, remove: 0 },
    { name: "those that are too many", replicas: 1, pods: 3, create: 0, remove: 2 },
    { name: "all of them", replicas: 0, pods: 3, create: 0, remove: 3 },
  ];
  for (const row of rows)
    it(row.name, () => {
      const options = { active: pods(row.pods), related: () => [], now, hasDeletionCost: true };
      const { create, remove } = planReplicas(replicaSet(row.replicas), options);
      expect({ create, remove: remove.length }).toEqual({ create: row.create, remove: row.remove });
    });
  it("deletes pods that do not run before those that do", () => {
    const [running, pending] = [testPod({ name: "a", node: "n" }), testPod({ name: "b", node: "n", phase: "Pending" })];
    const options = { active: [running, pending], related: () => [], now, hasDeletionCost: true };
    expect(planReplicas(replicaSet(1), options).remove).toEqual([pending]);
  });
});

describe("the status of a ReplicaSet", () => {
  it("counts pods by what they are", () => {
    const active = [
      testPod({ labels: { app: "web" }, readySince: now - 60_000 }),
      testPod({ labels: { app: "web", tier: "front" }, readySince: now - 1000 }),
      testPod({ labels: { app: "other" } }),
    ];
    expect(planStatus(replicaSet(3, undefined, 10), { active, terminating: [testPod()], now })).toEqual({
      replicas: 3,
      fullyLabeledReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 1,
      terminatingReplicas: 1,
      observedGeneration: 2,
    });
  });
  const status = { replicas: 0, terminatingReplicas: 0, observedGeneration: 2 };
  it("is not written where nothing changes", () =>
    expect(planStatus(replicaSet(0, status), { active: [], terminating: [], now })).toBeUndefined());
  it("is written for a generation that was not observed", () =>
    expect(
      planStatus(replicaSet(0, { ...status, observedGeneration: 1 }), { active: [], terminating: [], now }),
    ).toMatchObject({ observedGeneration: 2 }));

  const failure = {
    type: "ReplicaFailure",
    status: "True",
    reason: "FailedCreate",
    message: "quota",
    lastTransitionTime: formatTime(now),
  } as const;
  const rows: {
    name: string;
    had?: (typeof failure)[];
    replicas: number;
    message?: string;
    has: object[] | undefined;
  }[] = [
    { name: "gets a failure's reason and words", replicas: 1, message: "quota", has: [failure] },
    {
      name: "reports that a deletion failed",
      replicas: -1,
      message: "no",
      has: [{ ...failure, reason: "FailedDelete", message: "no" }],
    },
    { name: "keeps an older failure as it is", had: [failure], replicas: 1, message: "other", has: undefined },
    { name: "loses a failure that is over", had: [failure], replicas: 1, has: [] },
  ];
  for (const row of rows)
    it(row.name, () => {
      const before = replicaSet(row.replicas, { ...status, ...(row.had && { conditions: row.had }) });
      const plan = planStatus(before, { active: [], terminating: [], failure: row.message, now });
      expect(plan && (plan.conditions ?? [])).toEqual(row.has);
    });
});
