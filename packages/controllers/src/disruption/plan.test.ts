import type { PodDisruptionBudget } from "@coxswain/api/policy/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { describe, expect, it } from "vitest";
import { testPod } from "../pods/pods.test.support.js";
import {
  countHealthy,
  planCounts,
  planDisrupted,
  planFailure,
  planStatus,
  type StatusInputs,
  staleIn,
} from "./plan.js";

const now = Date.UTC(2026, 0, 1);
const ago = (seconds: number): string => formatTime(now - seconds * 1000);
type Spec = NonNullable<PodDisruptionBudget["spec"]>;
const budgetOf = (spec: Spec, status?: Partial<PodDisruptionBudget["status"] & object>): PodDisruptionBudget => ({
  metadata: { name: "b", namespace: "ns", generation: 2 },
  spec,
  ...(status && {
    status: { currentHealthy: 0, desiredHealthy: 0, expectedPods: 0, disruptionsAllowed: 0, ...status },
  }),
});

describe("how many pods there should be", () => {
  const rows: { name: string; spec: Spec; pods: number; scale: number; expected: number; healthy: number }[] = [
    { name: "none where the spec is empty", spec: {}, pods: 3, scale: 5, expected: 0, healthy: 0 },
    {
      name: "as many as there are, for a number",
      spec: { minAvailable: 2 },
      pods: 3,
      scale: 5,
      expected: 3,
      healthy: 2,
    },
    {
      name: "as many as their controllers want, for a share",
      spec: { minAvailable: "50%" },
      pods: 3,
      scale: 5,
      expected: 5,
      healthy: 3,
    },
    { name: "but for so many", spec: { maxUnavailable: 2 }, pods: 3, scale: 5, expected: 5, healthy: 3 },
    {
      name: "but for a share, rounded up",
      spec: { maxUnavailable: "30%" },
      pods: 3,
      scale: 10,
      expected: 10,
      healthy: 7,
    },
    { name: "but for a share of few", spec: { maxUnavailable: "25%" }, pods: 3, scale: 3, expected: 3, healthy: 2 },
    { name: "not less than none", spec: { maxUnavailable: 9 }, pods: 3, scale: 5, expected: 5, healthy: 0 },
  ];
  for (const { name, spec, pods, scale, expected, healthy } of rows)
    it(name, () => expect(planCounts(budgetOf(spec), { pods, scale })).toEqual({ expected, desiredHealthy: healthy }));
  it("cannot be known from a text that is no share", () =>
    expect(() => planCounts(budgetOf({ minAvailable: "x" }), { pods: 1, scale: 1 })).toThrow("not a percentage"));
});

describe("pods whose eviction was allowed", () => {
  const ready = (name: string, deletedAt?: number) =>
    testPod({ name, readySince: now, ...(deletedAt !== undefined && { deletedAt }) });
  const budget = budgetOf(
    {},
    { disruptedPods: { new: ago(10), older: ago(119), late: ago(121), gone: ago(5), going: ago(5) } },
  );
  const pods = [
    ready("new"),
    ready("older"),
    ready("late"),
    ready("going", now),
    ready("other"),
    testPod({ name: "unready" }),
  ];
  const plan = planDisrupted(budget, pods, now);
  it("are noted until they are deleted, for two minutes", () =>
    expect(plan.disrupted).toEqual({ new: ago(10), older: ago(119) }));
  it("are reported when they were not", () => expect(plan.notDeleted).toEqual([pods[2]]));
  it("are looked at again when the first of them is late", () => expect(plan.recheckMs).toBe(1000));
  it("do not count as healthy", () => expect(countHealthy(pods, plan)).toBe(2));
});

describe("the status of a budget", () => {
  const inputs = (more: Partial<StatusInputs> = {}): StatusInputs => ({
    expected: 3,
    desiredHealthy: 1,
    healthy: 3,
    disrupted: {},
    now,
    ...more,
  });
  const rows: { name: string; inputs: Partial<StatusInputs>; allowed: number; reason: string }[] = [
    { name: "allows what is more than needed", inputs: {}, allowed: 2, reason: "SufficientPods" },
    {
      name: "allows nothing where too few are healthy",
      inputs: { healthy: 0 },
      allowed: 0,
      reason: "InsufficientPods",
    },
    {
      name: "allows nothing where no pod is expected",
      inputs: { expected: 0, desiredHealthy: 0 },
      allowed: 0,
      reason: "InsufficientPods",
    },
  ];
  for (const row of rows)
    it(row.name, () => {
      const status = planStatus(budgetOf({}), inputs(row.inputs));
      expect(status).toMatchObject({
        disruptionsAllowed: row.allowed,
        observedGeneration: 2,
        conditions: [{ type: "DisruptionAllowed", reason: row.reason, observedGeneration: 2 }],
      });
    });
  it("is not written where nothing changes", () => {
    const status = planStatus(budgetOf({}), inputs());
    expect(planStatus({ ...budgetOf({}), ...(status && { status }) }, inputs({ now: now + 9000 }))).toBeUndefined();
  });
  it("allows nothing where it could not be computed, and reports why", () => {
    const failed = planFailure(budgetOf({}, { disruptionsAllowed: 2, expectedPods: 4 }), "no", now);
    expect(failed).toMatchObject({
      expectedPods: 4,
      disruptionsAllowed: 0,
      conditions: [{ type: "DisruptionAllowed", status: "False", reason: "SyncFailed", message: "no" }],
    });
  });
});

describe("a pod with the condition DisruptionTarget", () => {
  const disrupted = (reason: string, more: Parameters<typeof testPod>[0] = {}, status: "True" | "False" = "True") => {
    const pod = testPod(more);
    const condition = { type: "DisruptionTarget", status, reason, lastTransitionTime: ago(90) };
    return { ...pod, status: { ...pod.status, conditions: [condition] } };
  };
  const rows: { name: string; pod: ReturnType<typeof testPod>; ms: number | undefined }[] = [
    { name: "is not any more after two minutes", pod: disrupted("EvictionByEvictionAPI"), ms: 30_000 },
    { name: "is where its kubelet set the condition", pod: disrupted("TerminationByKubelet"), ms: undefined },
    { name: "is when it is being deleted", pod: disrupted("EvictionByEvictionAPI", { deletedAt: now }), ms: undefined },
    { name: "is when it has stopped", pod: disrupted("EvictionByEvictionAPI", { phase: "Failed" }), ms: undefined },
    { name: "is not where the condition is false", pod: disrupted("", {}, "False"), ms: undefined },
  ];
  for (const { name, pod, ms } of rows) it(name, () => expect(staleIn(pod, now)).toBe(ms));
});
