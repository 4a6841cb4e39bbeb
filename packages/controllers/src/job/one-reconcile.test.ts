import type { PodTemplateSpec } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { ago, inputs, jobOf, many, now, pod } from "./job.test.support.js";
import {
  describeReconciles,
  disrupted,
  failedBackoff,
  justFailed,
  onDisruption,
  ready,
  running,
  suspendedBefore,
  terminating,
} from "./one-reconcile.test.support.js";
import { planJob } from "./plan.js";

describe("one reconcile of a Job", () => {
  describeReconciles([
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
      name: "the policy looks at pods that failed, not at those that terminate",
      spec: { backoffLimit: 0, podReplacementPolicy: "Failed", ...onDisruption("FailJob") },
      pods: [disrupted(pod("Running", { deletedAt: now }))],
      does: "keep",
      ends: { terminating: 1, failed: undefined },
      conditions: [],
    },
  ]);
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
