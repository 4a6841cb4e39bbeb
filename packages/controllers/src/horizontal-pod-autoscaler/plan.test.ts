import type { HorizontalPodAutoscaler, HPAScalingRules } from "@coxswain/api/autoscaling/v2";
import { formatTime } from "@coxswain/apimachinery/time";
import { describe, expect, it } from "vitest";
import { decideByAnswers } from "./ask-metrics.js";
import { MetricError, type Proposal, tolerancesOf } from "./metric-proposals.js";
import { planReplicas, withFindings } from "./plan.js";
import { limitOf, newHistory, recordScale, type ScaleHistory } from "./scale-history.js";

const now = Date.UTC(2026, 0, 1, 12);
type Behavior = NonNullable<HorizontalPodAutoscaler["spec"]>["behavior"];
const autoscaler = (maxReplicas: number, behavior?: Behavior): HorizontalPodAutoscaler => ({
  spec: { scaleTargetRef: { kind: "Deployment", name: "web" }, maxReplicas, ...(behavior && { behavior }) },
});
/** Recommendations by age in seconds. */
const recommended = (samples: Record<number, number>): ScaleHistory => ({
  recommendations: Object.entries(samples).map(([age, replicas]) => ({ atMs: now - Number(age) * 1000, replicas })),
  added: [],
  removed: [],
});
const rules = (more: Partial<HPAScalingRules>): HPAScalingRules => ({
  selectPolicy: "Max",
  stabilizationWindowSeconds: 0,
  policies: [{ type: "Percent", value: 1000, periodSeconds: 60 }],
  ...more,
});

describe("the recommendation of metrics", () => {
  interface Row {
    readonly name: string;
    readonly current: number;
    readonly desired: number;
    readonly max?: number;
    readonly min?: number;
    readonly history?: ScaleHistory;
    readonly behavior?: Behavior;
    readonly replicas: number;
    /** Reasons of AbleToScale and ScalingLimited, the latter with a star where it is true. */
    readonly reasons: readonly [string, string];
  }
  const rows: Row[] = [
    {
      name: "is followed within limits",
      current: 3,
      desired: 5,
      replicas: 5,
      reasons: ["ReadyForNewScale", "DesiredWithinRange"],
    },
    {
      name: "is limited by the maximum",
      current: 8,
      desired: 12,
      max: 10,
      replicas: 10,
      reasons: ["ReadyForNewScale", "TooManyReplicas*"],
    },
    {
      name: "is limited by the minimum",
      current: 3,
      desired: 1,
      min: 2,
      replicas: 2,
      reasons: ["ReadyForNewScale", "TooFewReplicas*"],
    },
    {
      name: "at most doubles",
      current: 5,
      desired: 30,
      max: 50,
      replicas: 10,
      reasons: ["ReadyForNewScale", "ScaleUpLimit*"],
    },
    {
      name: "may become four from one",
      current: 1,
      desired: 30,
      max: 50,
      replicas: 4,
      reasons: ["ReadyForNewScale", "ScaleUpLimit*"],
    },
    {
      name: "does not go below what was recommended lately",
      current: 8,
      desired: 2,
      history: recommended({ 30: 6, 200: 7, 301: 9 }),
      replicas: 7,
      reasons: ["ScaleDownStabilized", "DesiredWithinRange"],
    },
    {
      name: "goes down when that is long ago",
      current: 8,
      desired: 2,
      history: recommended({ 301: 8 }),
      replicas: 2,
      reasons: ["ReadyForNewScale", "DesiredWithinRange"],
    },
    {
      name: "goes up at once without a window",
      current: 3,
      desired: 9,
      behavior: { scaleUp: rules({}), scaleDown: rules({}) },
      history: recommended({ 10: 3 }),
      replicas: 9,
      reasons: ["ReadyForNewScale", "DesiredWithinRange"],
    },
    {
      name: "goes up by the lowest of the window",
      current: 3,
      desired: 9,
      behavior: { scaleUp: rules({ stabilizationWindowSeconds: 60 }), scaleDown: rules({}) },
      history: recommended({ 30: 4, 90: 3 }),
      replicas: 4,
      reasons: ["ScaleUpStabilized", "DesiredWithinRange"],
    },
    {
      name: "goes down by the highest of the window",
      current: 9,
      desired: 3,
      behavior: { scaleUp: rules({}), scaleDown: rules({ stabilizationWindowSeconds: 60 }) },
      history: recommended({ 30: 5, 90: 9 }),
      replicas: 5,
      reasons: ["ScaleDownStabilized", "DesiredWithinRange"],
    },
    {
      name: "has the usual window downwards where none is given",
      current: 9,
      desired: 3,
      behavior: {
        scaleUp: rules({}),
        scaleDown: { selectPolicy: "Max", policies: [{ type: "Percent", value: 100, periodSeconds: 15 }] },
      },
      history: recommended({ 299: 6 }),
      replicas: 6,
      reasons: ["ScaleDownStabilized", "DesiredWithinRange"],
    },
    {
      name: "is limited by a policy upwards",
      current: 10,
      desired: 30,
      max: 50,
      behavior: { scaleUp: rules({ policies: [{ type: "Pods", value: 5, periodSeconds: 60 }] }), scaleDown: rules({}) },
      replicas: 15,
      reasons: ["ReadyForNewScale", "ScaleUpLimit*"],
    },
    {
      name: "is limited by a policy downwards",
      current: 10,
      desired: 1,
      behavior: {
        scaleUp: rules({}),
        scaleDown: rules({ policies: [{ type: "Percent", value: 20, periodSeconds: 60 }] }),
      },
      replicas: 8,
      reasons: ["ReadyForNewScale", "ScaleDownLimit*"],
    },
    {
      name: "is not followed in a direction that is off",
      current: 10,
      desired: 30,
      max: 50,
      behavior: { scaleUp: rules({ selectPolicy: "Disabled" }), scaleDown: rules({}) },
      replicas: 10,
      reasons: ["ReadyForNewScale", "ScaleUpLimit*"],
    },
  ];
  for (const row of rows)
    it(row.name, () => {
      const plan = planReplicas({
        autoscaler: autoscaler(row.max ?? 100, row.behavior),
        history: row.history ?? { recommendations: [], added: [], removed: [] },
        current: row.current,
        desired: row.desired,
        minReplicas: row.min ?? 1,
        downscaleWindowMs: 300_000,
        now,
      });
      expect(plan.replicas).toBe(row.replicas);
      const [able, limited] = plan.findings;
      expect([able?.reason, `${limited?.reason}${limited?.status === "True" ? "*" : ""}`]).toEqual(row.reasons);
      expect(plan.history.recommendations.at(-1)).toEqual({ atMs: now, replicas: row.desired });
    });
});

describe("how fast the number of replicas may change", () => {
  const history: ScaleHistory = {
    recommendations: [],
    added: [
      { atMs: now - 10_000, replicas: 4 },
      { atMs: now - 100_000, replicas: 8 },
    ],
    removed: [{ atMs: now - 20_000, replicas: 1 }],
  };
  const policies: HPAScalingRules["policies"] = [
    { type: "Pods", value: 4, periodSeconds: 60 },
    { type: "Percent", value: 100, periodSeconds: 60 },
  ];
  const rows: { name: string; direction: "up" | "down"; rules: HPAScalingRules; limit: number }[] = [
    {
      name: "counts from where the period began",
      direction: "up",
      rules: { policies: policies.slice(0, 1) },
      limit: 11,
    },
    { name: "by the policy that allows most", direction: "up", rules: { policies, selectPolicy: "Max" }, limit: 14 },
    { name: "by the policy that allows least", direction: "up", rules: { policies, selectPolicy: "Min" }, limit: 11 },
    { name: "downwards too", direction: "down", rules: { policies, selectPolicy: "Max" }, limit: 0 },
    { name: "downwards by the least", direction: "down", rules: { policies, selectPolicy: "Min" }, limit: 3 },
    { name: "not at all where it is off", direction: "up", rules: { policies, selectPolicy: "Disabled" }, limit: 10 },
  ];
  for (const row of rows)
    it(row.name, () => expect(limitOf(row.direction, row.rules, { history, current: 10, now })).toBe(row.limit));
  it("is known from what was done within the longest period", () => {
    const up = { policies };
    const after = recordScale(history, { from: 10, to: 13, rules: { up }, now });
    expect(after.added).toEqual([
      { atMs: now - 10_000, replicas: 4 },
      { atMs: now, replicas: 3 },
    ]);
    expect(recordScale(newHistory(5, now), { from: 5, to: 3, rules: {}, now }).removed).toEqual([
      { atMs: now, replicas: 2 },
    ]);
  });
});

describe("what follows from several metrics", () => {
  const proposal = (replicas: number): Proposal => ({ replicas, metric: `m${replicas}`, status: { type: "Resource" } });
  const failure = new MetricError("FailedGetObjectMetric", "no server", "failed to get object metric value: no server");
  const problem = "invalid metrics (1 invalid out of 2), first error is: failed to get object metric value: no server";
  const statuses = [{ type: "Resource" as const }, { type: "Object" as const }];
  it("is that of the best metric", () =>
    expect(decideByAnswers({ best: proposal(5), statuses, failures: [] }, 3)).toMatchObject({
      best: { replicas: 5 },
      problem: undefined,
      finding: { status: "True", reason: "ValidMetricFound" },
    }));
  it("is more replicas, although one failed", () =>
    expect(decideByAnswers({ best: proposal(5), statuses, failures: [failure] }, 3)).toMatchObject({
      best: { replicas: 5 },
      problem,
    }));
  it("is not fewer when one failed", () =>
    expect(decideByAnswers({ best: proposal(2), statuses, failures: [failure] }, 3)).toMatchObject({
      best: undefined,
      problem,
      finding: {
        status: "False",
        reason: "FailedGetObjectMetric",
        message: "the HPA was unable to compute the replica count: no server",
      },
    }));
});

describe("tolerances", () => {
  const behavior = { scaleUp: { tolerance: "50m" }, scaleDown: {} };
  it("are the usual ones, or the autoscaler's own", () => {
    expect(tolerancesOf(autoscaler(9, behavior), 0.1, true)).toEqual({ up: 0.05, down: 0.1 });
    expect(tolerancesOf(autoscaler(9, behavior), 0.1, false)).toEqual({ up: 0.1, down: 0.1 });
    expect(tolerancesOf(autoscaler(9), 0.2, true)).toEqual({ up: 0.2, down: 0.2 });
  });
});

describe("conditions", () => {
  it("keep their time while their status stays", () => {
    const old = {
      type: "AbleToScale",
      status: "True",
      reason: "a",
      message: "b",
      lastTransitionTime: formatTime(0),
    } as const;
    const next = withFindings([old], [{ type: "AbleToScale", status: "True", reason: "c", message: "d" }], now);
    expect(next).toEqual([{ ...old, reason: "c", message: "d" }]);
    const turned = withFindings(next, [{ type: "AbleToScale", status: "False", reason: "e", message: "f" }], now);
    expect(turned[0]?.lastTransitionTime).toBe(formatTime(now));
  });
});
