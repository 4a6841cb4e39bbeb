import type { JobStatus, PodFailurePolicy } from "@coxswain/api/batch/v1";
import type { Pod, PodTemplateSpec } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { isPodReady } from "../pods/pod-state.js";
import { actionOf, ago, indexed, inputs, jobOf, many, now, pod, type Spec } from "./job.test.support.js";
import { type JobInputs, planJob } from "./plan.js";
import { countReleased, finishStatus, planStatus } from "./plan-status.js";

/** A whole reconcile in which every request succeeds: what is done to pods, and the status at its end. */
function reconcile(given: JobInputs) {
  const plan = planJob(given);
  const removed = plan.pods.kind === "end" || plan.pods.kind === "remove" ? plan.pods.pods : [];
  const created = plan.pods.kind === "create" ? plan.pods.count : 0;
  const result = {
    active: plan.active.length + created - removed.length,
    ready: plan.ready - removed.filter(isPodReady).length,
    terminating: plan.terminating + removed.length,
    isDone: true,
  };
  const next = planStatus(plan, result, { clearsStartTime: true });
  const tracked = new Set(next.tracked);
  for (const { metadata } of next.release) tracked.delete(metadata?.uid ?? "");
  const counted = countReleased(next.status, tracked);
  const { terminating } = result;
  const status = (next.outcome && finishStatus(counted, { outcome: next.outcome, terminating, now })) ?? counted;
  return { does: actionOf(given), released: next.release.length, status };
}

const running = (count: number): Pod[] => many(count, () => pod("Running"));
const ready = (count: number): Pod[] => many(count, () => pod("Running", { readySince: now }));
const terminating = (count: number): Pod[] => many(count, () => pod("Running", { deletedAt: now }));
const disrupted = (made: Pod): Pod => ({
  ...made,
  status: { ...made.status, conditions: [{ type: "DisruptionTarget", status: "True" }] },
});
const onDisruption = (action: string): { podFailurePolicy: PodFailurePolicy } => ({
  podFailurePolicy: { rules: [{ action, onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] } as never,
});
const withoutIndex = (phase: "Running" | "Succeeded" | "Failed" | "Pending"): Pod => pod(phase);

interface Row {
  readonly name: string;
  readonly spec: Spec;
  readonly status?: JobStatus;
  readonly pods?: Pod[];
  readonly more?: Partial<JobInputs>;
  readonly isDeleted?: boolean;
  readonly does: string;
  readonly released?: number;
  /** Members of the status that are compared. */
  readonly ends: { readonly [Member in keyof JobStatus]?: unknown };
  /** "Type Reason", in order. */
  readonly conditions?: readonly string[];
}

const justFailed = { backoff: { failures: 1, lastFailureMs: now } };
const suspendedBefore: JobStatus = {
  conditions: [{ type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" }],
};
const failedBackoff = ["FailureTarget BackoffLimitExceeded", "Failed BackoffLimitExceeded"];

const rows: readonly Row[] = [
  {
    name: "a failed pod beside a running and a terminating one: only ended pods are replaced and counted",
    spec: { podReplacementPolicy: "Failed" },
    pods: [...running(1), pod("Failed"), ...terminating(1)],
    does: "keep",
    released: 1,
    ends: { active: 1, terminating: 1, failed: 1 },
  },
  {
    name: "the same where terminating pods are replaced: they count as failed at once",
    spec: {},
    pods: [...running(1), pod("Failed"), ...terminating(1)],
    does: "keep",
    released: 2,
    ends: { active: 1, terminating: 1, failed: 2 },
  },
  {
    name: "more terminating pods than may run, and one active too many",
    spec: { completions: 1, podReplacementPolicy: "Failed" },
    pods: [...running(2), ...terminating(4)],
    does: "remove 1",
    ends: { active: 1, terminating: 5, failed: undefined },
  },
  {
    name: "more terminating pods than may run, with a failure policy",
    spec: { completions: 1, ...onDisruption("Count") },
    pods: [...running(2), ...terminating(4)],
    does: "remove 1",
    ends: { active: 1, terminating: 5, failed: undefined },
  },
  {
    name: "terminating pods are awaited by number, with podReplacementPolicy Failed",
    spec: indexed(5, { parallelism: 2, podReplacementPolicy: "Failed" }),
    pods: terminating(1),
    does: "create 0",
    ends: { active: 1, terminating: 1 },
  },
  {
    name: "the wait after a failure leaves what runs in the status",
    spec: { parallelism: 2, completions: 2 },
    status: { active: 1 },
    pods: ready(1),
    more: justFailed,
    does: "wait",
    ends: { active: 1, ready: 1 },
  },
  {
    name: "a success after the failure ends the wait",
    spec: { parallelism: 2, completions: 5 },
    pods: [pod("Failed", { createdAt: now - 60_000 }), pod("Succeeded")],
    more: justFailed,
    does: "create 2",
    released: 2,
    ends: { active: 2, succeeded: 1, failed: 1 },
  },
  {
    name: "where one success is enough the others may end",
    spec: { parallelism: 2 },
    pods: [...running(1), pod("Succeeded")],
    does: "keep",
    ends: { active: 1, succeeded: 1 },
    conditions: [],
  },
  {
    name: "it is complete then, a failure notwithstanding",
    spec: { parallelism: 2 },
    pods: [pod("Succeeded"), pod("Failed")],
    does: "keep",
    ends: { active: 0, succeeded: 1, failed: 1, completionTime: ago(0) },
    conditions: ["SuccessCriteriaMet CompletionsReached", "Complete CompletionsReached"],
  },
  {
    name: "enough successes",
    spec: { parallelism: 2, completions: 5 },
    pods: many(5, () => pod("Succeeded")),
    does: "keep",
    released: 5,
    ends: { succeeded: 5, completionTime: ago(0) },
    conditions: ["SuccessCriteriaMet CompletionsReached", "Complete CompletionsReached"],
  },
  {
    name: "too many failures while another pod runs: the end waits for it",
    spec: { parallelism: 2, completions: 3, backoffLimit: 0 },
    pods: [...ready(2), pod("Failed")],
    does: "end 2",
    released: 3,
    ends: { active: 0, ready: 0, terminating: 2, failed: 3 },
    conditions: ["FailureTarget BackoffLimitExceeded"],
  },
  {
    name: "too many failures, all of them over",
    spec: { backoffLimit: 0 },
    pods: [pod("Failed")],
    does: "end 0",
    ends: { failed: 1, completionTime: undefined },
    conditions: failedBackoff,
  },
  {
    name: "failures that the cache shows before it has seen all pods: no end yet",
    spec: { parallelism: 2, completions: 2, backoffLimit: 0 },
    pods: [pod("Failed")],
    more: { isSettled: false },
    does: "end 0",
    ends: { failed: 1 },
    conditions: [],
  },
  {
    name: "a Job that is being deleted lets its pods go and starts none",
    spec: { parallelism: 2, completions: 5 },
    pods: [...running(1), pod("Succeeded"), pod("Failed")],
    isDeleted: true,
    does: "hold",
    released: 3,
    ends: { active: 1, succeeded: 1, failed: 1 },
  },
  {
    name: "indexes that failed once and then succeeded",
    spec: indexed(3, { parallelism: 2 }),
    pods: [
      pod("Succeeded", { index: 0 }),
      pod("Failed", { index: 1 }),
      pod("Succeeded", { index: 1 }),
      pod("Succeeded", { index: 2 }),
    ],
    does: "keep",
    released: 4,
    ends: { succeeded: 3, failed: 1, completedIndexes: "0-2" },
    conditions: ["SuccessCriteriaMet CompletionsReached", "Complete CompletionsReached"],
  },
  {
    name: "an indexed Job that fails while another index runs",
    spec: indexed(3, { parallelism: 2, backoffLimit: 0 }),
    pods: [pod("Succeeded", { index: 0 }), pod("Failed", { index: 1 }), pod("Running", { index: 2 })],
    does: "end 1",
    released: 3,
    ends: { succeeded: 1, failed: 2, terminating: 1, completedIndexes: "0" },
    conditions: ["FailureTarget BackoffLimitExceeded"],
  },
  {
    name: "an index that succeeded twice is one",
    spec: indexed(3, { parallelism: 2 }),
    pods: [0, 1, 1].map((index) => pod("Succeeded", { index })),
    does: "create 2",
    released: 3,
    ends: { active: 1, succeeded: 2, completedIndexes: "0,1" },
  },
  {
    name: "the first free indexes between those that run and those that are over",
    spec: indexed(20, { parallelism: 8 }),
    pods: [
      pod("Running", { index: 0 }),
      pod("Pending", { index: 3 }),
      ...[2, 4, 5, 7, 8, 9].map((index) => pod("Succeeded", { index })),
    ],
    does: "create 1,6,10,11,12,13",
    ends: { active: 8, succeeded: 6, completedIndexes: "2,4,5,7-9" },
  },
  {
    name: "pods without an index are removed or let go, and never counted",
    spec: indexed(5, { parallelism: 2 }),
    pods: [
      withoutIndex("Running"),
      withoutIndex("Succeeded"),
      withoutIndex("Failed"),
      withoutIndex("Pending"),
      pod("Succeeded", { index: 0 }),
      pod("Running", { index: 1 }),
      pod("Running", { index: 2 }),
    ],
    does: "remove 2",
    released: 3,
    ends: { active: 2, succeeded: 1, failed: undefined, completedIndexes: "0" },
  },
  {
    name: "of two pods of an index the one that is further stays, and nothing is created meanwhile",
    spec: indexed(5),
    pods: [
      withoutIndex("Running"),
      pod("Succeeded", { index: 0 }),
      pod("Running", { index: 1 }),
      pod("Running", { index: 2 }),
      pod("Pending", { index: 2 }),
    ],
    does: "remove 2",
    ends: { active: 2, succeeded: 1, completedIndexes: "0" },
  },
  {
    name: "indexes that the Job does not have are removed or let go, and never counted",
    spec: indexed(5, { parallelism: 2 }),
    pods: [
      pod("Succeeded", { index: 0 }),
      pod("Running", { index: 5 }),
      pod("Succeeded", { index: 6 }),
      pod("Pending", { index: 7 }),
      pod("Failed", { index: 8 }),
    ],
    does: "remove 2",
    released: 3,
    ends: { active: 0, succeeded: 1, failed: undefined, completedIndexes: "0" },
  },
  {
    name: "a suspended Job counts its pods as terminating",
    spec: { suspend: true, parallelism: 2, completions: 4 },
    pods: ready(2),
    does: "remove 2",
    ends: { active: 0, ready: 0, terminating: 2, startTime: undefined },
    conditions: ["Suspended JobSuspended"],
  },
  {
    name: "a Job is not suspended before the cache has seen its pods",
    spec: { suspend: true, parallelism: 2, completions: 4 },
    pods: ready(3),
    more: { isSettled: false },
    does: "hold",
    ends: { active: 3, ready: 3, terminating: 0 },
    conditions: [],
  },
  {
    name: "a Job that is being deleted is not suspended",
    spec: { suspend: true, parallelism: 2, completions: 4 },
    pods: running(2),
    isDeleted: true,
    does: "hold",
    released: 2,
    ends: { active: 2, terminating: 0 },
    conditions: [],
  },
  {
    name: "a resumed Job starts anew",
    spec: { suspend: false, parallelism: 2, completions: 4 },
    status: suspendedBefore,
    does: "create 2",
    ends: { active: 2, startTime: ago(0) },
    conditions: ["Suspended JobResumed"],
  },
  ...(["FailureTarget", "SuccessCriteriaMet"] as const).map((type) => ({
    name: `the condition ${type} with the status False means nothing`,
    spec: { completions: 1 },
    status: { active: 1, conditions: [{ type, status: "False", reason: "Manual" } as const] },
    pods: ready(1),
    does: "keep",
    ends: { active: 1, ready: 1 },
    conditions: [`${type} Manual`],
  })),
  {
    name: "the deadline before any pod ran",
    spec: { activeDeadlineSeconds: 10 },
    status: { startTime: ago(10) },
    does: "end 0",
    ends: { active: 0 },
    conditions: ["FailureTarget DeadlineExceeded", "Failed DeadlineExceeded"],
  },
  {
    name: "the deadline and too many failures: the latter is the reason",
    spec: { activeDeadlineSeconds: 1, backoffLimit: 0 },
    status: { startTime: ago(10) },
    pods: [pod("Failed")],
    does: "end 0",
    ends: { failed: 1 },
    conditions: failedBackoff,
  },
  {
    name: "the deadline while pods run and after some succeeded",
    spec: { parallelism: 1, completions: 2, activeDeadlineSeconds: 10 },
    status: { startTime: ago(15) },
    pods: [...running(1), pod("Succeeded")],
    does: "end 1",
    ends: { active: 0, succeeded: 1, failed: 1, terminating: 1 },
    conditions: ["FailureTarget DeadlineExceeded"],
  },
  {
    name: "a pod that was counted as failed stays so, though it succeeded in the end",
    spec: { parallelism: 2, completions: 2, backoffLimit: 0 },
    status: { uncountedTerminatedPods: { failed: ["flip"] } },
    pods: [pod("Succeeded", { name: "flip" })],
    does: "end 0",
    released: 1,
    ends: { succeeded: 0, failed: 1 },
    conditions: failedBackoff,
  },
  {
    name: "at most 500 pods are counted, those of before included",
    spec: { completions: 900 },
    status: { uncountedTerminatedPods: { failed: ["gone", "left"] } },
    pods: [...many(500, () => pod("Succeeded")), pod("Failed", { name: "left" })],
    does: "create 1",
    released: 499,
    ends: { succeeded: 499, failed: 1, uncountedTerminatedPods: { failed: ["left"] } },
  },
  {
    name: "at most 500 pods of indexes lose their finalizer at once",
    spec: indexed(501),
    pods: many(501, (index) => pod("Succeeded", { index })),
    does: "keep",
    released: 500,
    ends: { succeeded: 501, completedIndexes: "0-500" },
    conditions: ["SuccessCriteriaMet CompletionsReached"],
  },
  {
    name: "a failed pod of an index is not counted before another takes its place",
    spec: indexed(6, { parallelism: 1, backoffLimitPerIndex: 1 }),
    pods: [pod("Failed", { index: 1, failures: 0 })],
    does: "create 0",
    released: 0,
    ends: { failed: undefined, failedIndexes: "" },
  },
  {
    name: "it is counted once another runs",
    spec: indexed(2, { backoffLimitPerIndex: 1 }),
    pods: [pod("Failed", { index: 1, failures: 0 }), ...[0, 1].map((index) => pod("Running", { index }))],
    does: "keep",
    released: 1,
    ends: { failed: 1, failedIndexes: "" },
  },
  {
    name: "it is counted when its index has failed, and the Job goes on",
    spec: indexed(2, { backoffLimitPerIndex: 1 }),
    pods: [pod("Failed", { index: 1, failures: 1 }), pod("Running", { index: 0 })],
    does: "wait",
    released: 1,
    ends: { failed: 1, failedIndexes: "1", active: 1 },
    conditions: [],
  },
  {
    name: "an index waits after its failure while another runs",
    spec: indexed(2, { backoffLimitPerIndex: 1 }),
    pods: [
      pod("Running", { index: 0 }),
      {
        ...pod("Failed", { index: 1 }),
        metadata: { ...pod("Failed", { index: 1 }).metadata, creationTimestamp: ago(3) },
      },
    ],
    does: "wait",
    released: 0,
    ends: { active: 1, failed: undefined, failedIndexes: "" },
  },
  {
    name: "the limit of the Job before the limits of its indexes",
    spec: indexed(2, { backoffLimit: 1, backoffLimitPerIndex: 1 }),
    pods: [0, 1].map((index) => pod("Failed", { index, failures: 0 })),
    does: "end 0",
    released: 2,
    ends: { failed: 2, failedIndexes: "" },
    conditions: failedBackoff,
  },
  {
    name: "a failure that the policy ignores does not fail its index",
    spec: indexed(2, { backoffLimitPerIndex: 0, ...onDisruption("Ignore") }),
    pods: [pod("Running", { index: 0 }), disrupted(pod("Failed", { index: 1 }))],
    does: "create 1",
    released: 0,
    ends: { active: 2, failedIndexes: "", failed: undefined },
  },
  {
    name: "the policy looks at pods that failed, not at those that terminate",
    spec: { backoffLimit: 0, podReplacementPolicy: "Failed", ...onDisruption("FailJob") },
    pods: [disrupted(pod("Running", { deletedAt: now }))],
    does: "keep",
    ends: { terminating: 1, failed: undefined },
    conditions: [],
  },
  {
    name: "a success that was recorded does not become a failure by the policy",
    spec: indexed(2, { successPolicy: { rules: [{ succeededCount: 1 }] }, ...onDisruption("FailJob") }),
    status: {
      succeeded: 1,
      completedIndexes: "1",
      conditions: [{ type: "SuccessCriteriaMet", status: "True", reason: "SuccessPolicy", message: "m" }],
    },
    pods: [disrupted(pod("Failed", { index: 0 })), pod("Succeeded", { index: 1 })],
    does: "end 0",
    released: 2,
    ends: { succeeded: 1, failed: 1, completedIndexes: "1" },
    conditions: ["SuccessCriteriaMet SuccessPolicy", "Complete SuccessPolicy"],
  },
  {
    name: "a failure that was recorded does not become a success by the policy",
    spec: indexed(2, { successPolicy: { rules: [{ succeededCount: 1 }] } }),
    status: { conditions: [{ type: "FailureTarget", status: "True", reason: "PodFailurePolicy", message: "m" }] },
    pods: [pod("Failed", { index: 0 }), pod("Succeeded", { index: 1 })],
    does: "end 0",
    ends: { succeeded: 1, failed: 1 },
    conditions: ["FailureTarget PodFailurePolicy", "Failed PodFailurePolicy"],
  },
  {
    name: "the success policy ends what still runs, and waits for it",
    spec: indexed(3, { successPolicy: { rules: [{ succeededIndexes: "0,1", succeededCount: 1 }] } }),
    pods: [pod("Succeeded", { index: 1 }), pod("Running", { index: 0 }), pod("Running", { index: 2 })],
    does: "end 2",
    ends: { active: 0, succeeded: 1, failed: undefined, terminating: 2, completedIndexes: "1" },
    conditions: ["SuccessCriteriaMet SuccessPolicy"],
  },
];

describe("one reconcile of a Job", () => {
  for (const { name, spec, status, pods, more, isDeleted, does, released, ends, conditions } of rows)
    it(name, () => {
      const plain = jobOf(spec, status);
      const job = isDeleted ? { ...plain, metadata: { ...plain.metadata, deletionTimestamp: ago(1) } } : plain;
      const result = reconcile(inputs(job, pods, more));
      expect(result.does).toBe(does);
      if (released !== undefined) expect(result.released).toBe(released);
      const seen = Object.keys(ends).map((member) => [member, result.status[member as keyof JobStatus]]);
      expect(Object.fromEntries(seen)).toEqual(ends);
      if (conditions)
        expect((result.status.conditions ?? []).map(({ type, reason }) => `${type} ${reason}`)).toEqual(conditions);
    });
});

describe("restarts in place", () => {
  const cases: [backoffLimit: number, restarts: number[], phase: "Running" | "Pending", ends: boolean][] = [
    [0, [0], "Running", false],
    [0, [1], "Running", true],
    [1, [0], "Running", false],
    [1, [1], "Running", true],
    [1, [1], "Pending", true],
    [2, [1, 1], "Pending", true],
    [3, [1, 1], "Running", false],
  ];
  for (const [backoffLimit, restarts, phase, ends] of cases)
    it(`${restarts.join(" and ")} of pods that are ${phase} ${ends ? "end" : "do not end"} a Job with the limit ${backoffLimit}`, () => {
      const template: PodTemplateSpec = { spec: { restartPolicy: "OnFailure", containers: [] } };
      const pods = restarts.map((count) => pod(phase, { restarts: count }));
      expect(planJob(inputs(jobOf({ template, backoffLimit }), pods)).outcome?.reason).toBe(
        ends ? "BackoffLimitExceeded" : undefined,
      );
    });
});

it("a wait is at least as long as changes are gathered", () => {
  const backoff = { failures: 1, lastFailureMs: now - 9_900 };
  expect(planJob(inputs(jobOf(), [], { backoff })).requeueAfterMs).toBe(1000);
});
