import type { Pod } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { describe, expect, it } from "vitest";
import { testPod } from "../pods/pods.test.support.js";
import type { PodMetrics } from "../settings/metrics-source.js";
import { podRequests } from "./pod-requests.js";
import {
  averageReplicas,
  type PodMetricInputs,
  perPodReplicas,
  utilizationReplicas,
  valueReplicas,
} from "./replica-calculator.js";

const now = Date.UTC(2026, 0, 1, 12);
const ago = (seconds: number): string => formatTime(now - seconds * 1000);

interface TestState {
  /** "ready" for an hour unless given otherwise. */
  readonly state?: "ready" | "pending" | "failed" | "deleted" | "unready" | "never ready" | "young" | "just ready";
  /** What it uses, in thousandths; undefined: nobody knows. */
  readonly uses?: number;
}
const condition = (status: "True" | "False", seconds: number) => ({
  type: "Ready",
  status,
  lastTransitionTime: ago(seconds),
});
const podOf = ({ state = "ready" }: TestState, index: number): Pod => {
  const base = testPod({
    name: `p${index}`,
    phase: state === "pending" ? "Pending" : state === "failed" ? "Failed" : "Running",
    ...(state === "deleted" && { deletedAt: now }),
  });
  const [started, conditions] = {
    ready: [3600, [condition("True", 3500)]] as const,
    pending: [3600, []] as const,
    failed: [3600, []] as const,
    deleted: [3600, [condition("True", 3500)]] as const,
    // It was ready once.
    unready: [3600, [condition("False", 100)]] as const,
    "never ready": [3600, [condition("False", 3590)]] as const,
    // Within the time in which CPU is distrusted.
    young: [60, [condition("False", 50)]] as const,
    "just ready": [60, [condition("True", 20)]] as const,
  }[state];
  return {
    ...base,
    spec: { containers: [{ name: "c", resources: { requests: { cpu: "1", memory: "1k" } } }] },
    status: { ...base.status, startTime: ago(started), conditions: [...conditions] },
  };
};
const inputsOf = (pods: readonly TestState[], currentReplicas: number, resource?: string): PodMetricInputs => ({
  currentReplicas,
  pods: pods.map(podOf),
  metrics: new Map(
    pods.flatMap(({ uses }, index) =>
      uses === undefined ? [] : [[`p${index}`, { timestampMs: now - 10_000, windowMs: 60_000, value: uses }] as const],
    ),
  ) as PodMetrics,
  tolerances: { up: 0.1, down: 0.1 },
  resource,
  cpuInitializationMs: 300_000,
  initialReadinessMs: 30_000,
  now,
});
const uses = (...values: number[]): TestState[] => values.map((value) => ({ uses: value }));

describe("replicas by utilization of CPU", () => {
  const run = (pods: readonly TestState[], target: number, current = pods.length) => {
    const inputs = inputsOf(pods, current, "cpu");
    const requestsOf = () => podRequests(inputs.pods, { resource: "cpu", hasPodLevel: true });
    return utilizationReplicas(inputs, { target, requestsOf });
  };
  const rows: {
    name: string;
    pods: TestState[];
    target: number;
    current?: number;
    replicas: number;
    utilization?: number;
  }[] = [
    { name: "more when pods use more", pods: uses(300, 500, 700), target: 30, replicas: 5, utilization: 50 },
    { name: "fewer when they use less", pods: uses(100, 300, 500, 250, 250), target: 50, replicas: 3, utilization: 28 },
    { name: "the same within the tolerance", pods: uses(1010, 1030, 1020), target: 100, replicas: 3, utilization: 102 },
    {
      name: "more, but pods that are not ready count as idle",
      pods: [{ state: "young", uses: 300 }, { uses: 500 }, { uses: 700 }],
      target: 30,
      replicas: 4,
      utilization: 60,
    },
    {
      name: "no change where that would turn it around",
      pods: [{ state: "young", uses: 400 }, { uses: 500 }, { state: "young", uses: 700 }],
      target: 30,
      replicas: 3,
      utilization: 50,
    },
    {
      name: "fewer without pods that are not ready",
      pods: [...uses(100, 300, 500), { state: "young", uses: 250 }, { state: "young", uses: 250 }],
      target: 50,
      replicas: 2,
      utilization: 30,
    },
    {
      name: "samples from before a pod was ready do not count",
      pods: [{ state: "just ready", uses: 900 }, { uses: 500 }, { uses: 700 }],
      target: 30,
      replicas: 4,
      utilization: 60,
    },
    {
      name: "a pod that was ready once counts although it is not",
      pods: [{ state: "unready", uses: 300 }, { uses: 500 }, { uses: 700 }],
      target: 30,
      replicas: 5,
      utilization: 50,
    },
    {
      name: "a pod that never was ready does not",
      pods: [{ state: "never ready", uses: 300 }, { uses: 500 }, { uses: 700 }],
      target: 30,
      replicas: 4,
      utilization: 60,
    },
    {
      name: "failed and deleted pods count for nothing",
      pods: [{ state: "failed", uses: 100 }, { state: "deleted", uses: 100 }, ...uses(500, 700)],
      target: 50,
      current: 2,
      replicas: 3,
      utilization: 60,
    },
    {
      name: "pods without metrics count as idle when scaling up",
      pods: [{}, ...uses(1000)],
      target: 50,
      replicas: 2,
      utilization: 100,
    },
    {
      name: "pods without metrics count as busy when scaling down",
      pods: [{}, ...uses(100, 100, 100)],
      target: 100,
      replicas: 2,
      utilization: 10,
    },
    {
      name: "pending pods count as idle when scaling up",
      pods: [{ state: "pending" }, ...uses(1000, 1000)],
      target: 50,
      replicas: 4,
      utilization: 100,
    },
  ];
  for (const { name, pods, target, current, replicas, utilization } of rows)
    it(name, () => expect(run(pods, target, current)).toMatchObject({ replicas, utilization }));

  const failures: { name: string; pods: TestState[]; message: string }[] = [
    { name: "no pods", pods: [], message: "no pods returned by selector while calculating replica count" },
    {
      name: "no metrics of ready pods",
      pods: [{ state: "pending", uses: 5 }],
      message: "did not receive metrics for targeted pods (pods might be unready)",
    },
  ];
  for (const { name, pods, message } of failures)
    it(`cannot be computed with ${name}`, () => expect(() => run(pods, 50)).toThrow(message));
});

describe("what pods ask for", () => {
  const pod = (spec: Pod["spec"]): Pod => ({ metadata: { name: "p" }, ...(spec && { spec }) });
  const container = (name: string, cpu?: string) => ({ name, ...(cpu && { resources: { requests: { cpu } } }) });
  const sum = (given: Pod, container?: string) =>
    podRequests([given], { resource: "cpu", hasPodLevel: true, container }).get("p");
  const rows: { name: string; pod: Pod; container?: string; millis: number }[] = [
    {
      name: "is the sum of its containers",
      pod: pod({ containers: [container("a", "1"), container("b", "200m")] }),
      millis: 1200,
    },
    {
      name: "has sidecars in it, but no init containers",
      pod: pod({
        containers: [container("a", "1")],
        initContainers: [{ ...container("s", "100m"), restartPolicy: "Always" }, container("i", "5")],
      }),
      millis: 1100,
    },
    {
      name: "may be asked of one container",
      pod: pod({ containers: [container("a", "1"), container("b", "200m")] }),
      container: "b",
      millis: 200,
    },
    {
      name: "is that of the pod as a whole",
      pod: pod({ containers: [container("a")], resources: { requests: { cpu: "3" } } }),
      millis: 3000,
    },
  ];
  for (const row of rows) it(row.name, () => expect(sum(row.pod, row.container)).toBe(row.millis));
  it("must be set", () =>
    expect(() => sum(pod({ containers: [container("a", "1"), container("b")] }))).toThrow(
      "missing request for cpu in container b of Pod p",
    ));
  it("is not known of a container that is not there", () =>
    expect(() => sum(pod({ containers: [container("a", "1")] }), "x")).toThrow("container x not found in Pod p"));
});

describe("replicas by an average per pod", () => {
  const rows: { name: string; pods: TestState[]; target: number; replicas: number; average: number }[] = [
    {
      name: "more when pods have more",
      pods: uses(20_000, 10_000, 30_000),
      target: 15_000,
      replicas: 4,
      average: 20_000,
    },
    {
      name: "fewer when they have less",
      pods: uses(12_000, 12_000, 12_000, 12_000, 12_000),
      target: 20_000,
      replicas: 3,
      average: 12_000,
    },
    {
      name: "the same within the tolerance",
      pods: uses(20_700, 20_666, 20_667),
      target: 20_000,
      replicas: 3,
      average: 20_677,
    },
    {
      name: "pods that are not ready count: only CPU is distrusted",
      pods: [{ state: "young", uses: 50_000 }, ...uses(10_000, 30_000)],
      target: 15_000,
      replicas: 6,
      average: 30_000,
    },
    {
      name: "pods without metrics have the target when scaling down",
      pods: [{}, ...uses(5000, 5000)],
      target: 10_000,
      replicas: 2,
      average: 5000,
    },
    {
      name: "pods without metrics have nothing when scaling up",
      pods: [{}, ...uses(30_000, 30_000)],
      target: 10_000,
      replicas: 6,
      average: 30_000,
    },
  ];
  for (const { name, pods, target, replicas, average } of rows)
    it(name, () => expect(averageReplicas(inputsOf(pods, pods.length), target)).toEqual({ replicas, average }));
});

describe("replicas by one value", () => {
  const tolerances = { up: 0.1, down: 0.1 };
  const rows: { name: string; ready: number; current: number; usage: number; target: number; replicas: number }[] = [
    { name: "more", ready: 3, current: 3, usage: 20_000, target: 15_000, replicas: 4 },
    { name: "in proportion to ready pods", ready: 2, current: 3, usage: 30_000, target: 15_000, replicas: 4 },
    { name: "the same within the tolerance", ready: 3, current: 4, usage: 20_666, target: 20_000, replicas: 4 },
    {
      name: "from zero as many as the value has targets",
      ready: 0,
      current: 0,
      usage: 25_000,
      target: 10_000,
      replicas: 3,
    },
    { name: "to zero", ready: 5, current: 5, usage: 0, target: 100, replicas: 0 },
  ];
  for (const { name, ready, current, usage, target, replicas } of rows)
    it(name, () => {
      const pods = Array.from({ length: ready }, (_, index) => podOf({}, index));
      expect(valueReplicas({ currentReplicas: current, pods, usage, target, tolerances })).toBe(replicas);
    });
  it("for each pod", () => {
    expect(perPodReplicas({ statusReplicas: 5, usage: 150_000, target: 50_000, tolerances })).toEqual({
      replicas: 3,
      average: 30_000,
    });
    expect(perPodReplicas({ statusReplicas: 3, usage: 155_000, target: 50_000, tolerances })).toEqual({
      replicas: 3,
      average: 51_667,
    });
  });
});

describe("values that no number of pods can serve", () => {
  const most = 2 ** 31 - 1;
  const huge = 2 ** 63;
  const tolerances = { up: 0.1, down: 0.1 };
  const pods = ["a", "b", "c"].map((name) => testPod({ name, readySince: now }));
  it("ask for as many as a count can hold", () => {
    expect(valueReplicas({ currentReplicas: 3, pods, usage: huge, target: 1, tolerances })).toBe(most);
    expect(perPodReplicas({ statusReplicas: 1, usage: huge, target: 1, tolerances }).replicas).toBe(most);
  });
  it("ask for as many as there are where the target is as large", () => {
    expect(valueReplicas({ currentReplicas: 3, pods, usage: huge, target: huge, tolerances })).toBe(3);
    expect(perPodReplicas({ statusReplicas: 1, usage: huge, target: huge, tolerances }).replicas).toBe(1);
  });
});
