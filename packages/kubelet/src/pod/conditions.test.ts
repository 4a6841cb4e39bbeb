import { describe, expect, it } from "vitest";
import { type ConditionFacts, planConditions } from "./conditions.js";
import { c, pod, sidecar, status } from "./pod.test.support.js";

const base: ConditionFacts = {
  phase: "Running",
  initStatuses: [],
  statuses: [status("a", "running")],
  hasSandbox: true,
  hasInitialized: true,
  before: [],
  besides: [],
  restarting: [],
  now: "2026-01-01T00:00:00Z",
};

const cases: { name: string; spec?: object; facts?: Partial<ConditionFacts>; wanted: Record<string, string> }[] = [
  {
    name: "a running pod",
    wanted: {
      Ready: "True",
      ContainersReady: "True",
      Initialized: "True",
      PodReadyToStartContainers: "True",
      PodScheduled: "True",
    },
  },
  {
    name: "an unready container",
    facts: { statuses: [status("a", "running unready")] },
    wanted: {
      Ready: "False ContainersNotReady: containers with unready status: [a]",
      ContainersReady: "False ContainersNotReady: containers with unready status: [a]",
    },
  },
  {
    name: "a container without status",
    facts: { statuses: [] },
    wanted: { Ready: "False ContainersNotReady: containers with unknown status: [a]" },
  },
  { name: "no sandbox", facts: { hasSandbox: false }, wanted: { PodReadyToStartContainers: "False" } },
  {
    name: "an init container that is not done",
    spec: { initContainers: [c("i"), c("j")] },
    facts: {
      phase: "Pending",
      initStatuses: [status("i", "running unready"), status("j", "waiting")],
      hasInitialized: false,
    },
    wanted: { Initialized: "False ContainersNotInitialized: containers with incomplete status: [i j]" },
  },
  {
    name: "a sidecar that is not ready",
    spec: { initContainers: [sidecar("s")] },
    facts: { initStatuses: [status("s", "running unready")] },
    wanted: { Initialized: "True", Ready: "False ContainersNotReady: containers with unready status: [s]" },
  },
  {
    name: "a pod that succeeded",
    facts: { phase: "Succeeded", statuses: [status("a", "exited 0")] },
    wanted: { Ready: "False PodCompleted", ContainersReady: "False PodCompleted", Initialized: "True PodCompleted" },
  },
  {
    name: "a pod that failed",
    facts: { phase: "Failed" },
    wanted: { Ready: "False PodFailed", ContainersReady: "False PodFailed" },
  },
  {
    name: "a readiness gate that nobody has set",
    spec: { readinessGates: [{ conditionType: "example.com/lb" }] },
    wanted: {
      ContainersReady: "True",
      Ready:
        'False ReadinessGatesNotReady: corresponding condition of pod readiness gate "example.com/lb" does not exist.',
    },
  },
  {
    name: "a readiness gate that is closed",
    spec: { readinessGates: [{ conditionType: "example.com/lb" }] },
    facts: { before: [{ type: "example.com/lb", status: "False" }] },
    wanted: {
      Ready: 'False ReadinessGatesNotReady: the status of pod readiness gate "example.com/lb" is not "True", but False',
      "example.com/lb": "False",
    },
  },
  {
    name: "a readiness gate that is open",
    spec: { readinessGates: [{ conditionType: "example.com/lb" }] },
    facts: { before: [{ type: "example.com/lb", status: "True" }] },
    wanted: { Ready: "True", "example.com/lb": "True" },
  },
];

describe("the conditions of a pod", () => {
  for (const { name, spec = {}, facts = {}, wanted } of cases)
    it(name, () => {
      const conditions = planConditions(pod(spec), { ...base, ...facts });
      const found = Object.fromEntries(
        conditions.map(({ type, status: is, reason, message }) => [
          type,
          `${is}${reason ? ` ${reason}` : ""}${message ? `: ${message}` : ""}`,
        ]),
      );
      expect(found).toMatchObject(wanted);
    });

  it("a transition keeps its time while the status is the same", () => {
    const before = [
      { type: "Ready", status: "True", lastTransitionTime: "2025-01-01T00:00:00Z" },
      { type: "PodScheduled", status: "False", lastTransitionTime: "2025-01-01T00:00:00Z" },
    ] as const;
    const times = Object.fromEntries(
      planConditions(pod(), { ...base, before }).map(({ type, lastTransitionTime }) => [type, lastTransitionTime]),
    );
    expect(times).toMatchObject({ Ready: "2025-01-01T00:00:00Z", PodScheduled: base.now });
  });
});
