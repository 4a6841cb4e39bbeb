import type { JobStatus } from "@coxswain/api/batch/v1";
import type { Pod } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { actionOf, ago, indexed, inputs, jobOf, many, now, pod, type Spec } from "./job.test.support.js";
import { type JobInputs, planJob } from "./plan.js";
import { countReleased, finishStatus, type PodsResult, planStatus } from "./plan-status.js";

describe("the pods of a Job", () => {
  const running = (count: number) => many(count, () => pod("Running"));
  const rows: {
    name: string;
    spec?: Spec;
    status?: JobStatus;
    pods?: Pod[];
    more?: Partial<JobInputs>;
    does: string;
  }[] = [
    { name: "are created, as many as may run", spec: { parallelism: 2, completions: 5 }, does: "create 2" },
    { name: "are not more than are needed", spec: { parallelism: 9, completions: 3 }, does: "create 3" },
    {
      name: "need not be those that succeeded before",
      spec: { parallelism: 9, completions: 5 },
      status: { succeeded: 2 },
      does: "create 3",
    },
    { name: "are at most 500 at a time", spec: { parallelism: 2000, completions: 2000 }, does: "create 500" },
    { name: "are as many as run at once where one success is enough", spec: { parallelism: 3 }, does: "create 3" },
    {
      name: "are not created after that success",
      spec: { parallelism: 3 },
      pods: [pod("Succeeded"), pod("Running")],
      does: "keep",
    },
    { name: "are kept when they are enough", spec: { parallelism: 2, completions: 5 }, pods: running(2), does: "keep" },
    {
      name: "are removed when they are too many",
      spec: { parallelism: 2, completions: 5 },
      pods: running(5),
      does: "remove 3",
    },
    {
      name: "are removed when enough have succeeded",
      spec: { parallelism: 3, completions: 3 },
      status: { succeeded: 2 },
      pods: running(3),
      does: "remove 2",
    },
    {
      name: "are all removed when it is suspended",
      spec: { suspend: true, parallelism: 3 },
      pods: running(3),
      does: "remove 3",
    },
    {
      name: "are left alone until the cache has seen them",
      spec: { parallelism: 3 },
      more: { isSettled: false },
      does: "hold",
    },
    {
      name: "are replaced while they terminate",
      pods: [pod("Running", { deletedAt: now - 20_000 })],
      does: "create 1",
    },
    {
      name: "are replaced only after they ended, with podReplacementPolicy Failed",
      spec: { podReplacementPolicy: "Failed" },
      pods: [pod("Running", { deletedAt: now })],
      does: "keep",
    },
    { name: "wait after a failure", more: { backoff: { failures: 1, lastFailureMs: now - 4000 } }, does: "wait" },
    { name: "do not wait for ever", more: { backoff: { failures: 1, lastFailureMs: now - 11_000 } }, does: "create 1" },
    {
      name: "have indexes, the first that are free",
      spec: indexed(6, { parallelism: 4 }),
      status: { completedIndexes: "0" },
      pods: [pod("Running", { index: 2 })],
      does: "create 1,3,4",
    },
    {
      name: "with one index are one",
      spec: indexed(3),
      pods: [pod("Running", { index: 0 }), pod("Pending", { index: 0 }), pod("Running", { index: 1 })],
      does: "remove 1",
    },
    {
      name: "without an index, or with one too large, are removed",
      spec: indexed(2),
      pods: [pod("Running"), pod("Running", { index: 2 }), pod("Running", { index: 1 })],
      does: "remove 2",
    },
    {
      name: "of indexes that terminate are not replaced, with podReplacementPolicy Failed",
      spec: indexed(2, { podReplacementPolicy: "Failed" }),
      pods: [pod("Running", { index: 0, deletedAt: now })],
      does: "create 1",
    },
    {
      name: "of failed indexes are not replaced",
      spec: indexed(3, { backoffLimitPerIndex: 0 }),
      pods: [pod("Failed", { index: 1 })],
      does: "create 0,2",
    },
    {
      name: "wait per index",
      spec: indexed(2, { backoffLimitPerIndex: 5 }),
      pods: [pod("Failed", { index: 0, failures: 3 })],
      does: "create 1",
    },
    {
      name: "of one index wait for it",
      spec: indexed(1, { backoffLimitPerIndex: 5 }),
      pods: [pod("Failed", { index: 0, failures: 3 })],
      does: "wait",
    },
    {
      name: "come back after the wait of their index",
      spec: indexed(1, { backoffLimitPerIndex: 5 }),
      pods: [pod("Failed", { index: 0, failures: 1 })],
      does: "create 0",
    },
  ];
  for (const { name, spec, status, pods, more, does } of rows)
    it(name, () => expect(actionOf(inputs(jobOf(spec, status), pods, more))).toBe(does));
  it("are left alone when the Job is being deleted", () => {
    const job = jobOf();
    expect(actionOf(inputs({ ...job, metadata: { ...job.metadata, deletionTimestamp: ago(0) } }))).toBe("hold");
  });
  it("that are removed are those that are missed least", () => {
    const pending = pod("Pending");
    const plan = planJob(inputs(jobOf({ completions: 5 }), [pod("Running"), pending]));
    expect(plan.pods).toEqual({ kind: "remove", pods: [pending] });
  });
  it("make it look again at the deadline, or after the wait", () => {
    const job = jobOf({ activeDeadlineSeconds: 100 }, { startTime: ago(40) });
    expect(planJob(inputs(job)).requeueAfterMs).toBe(60_000);
    expect(planJob(inputs(job, [], { backoff: { failures: 1, lastFailureMs: now } })).requeueAfterMs).toBe(10_000);
  });
});

describe("the end of a Job", () => {
  const restarted = (restarts: number): Pod => pod("Running", { restarts });
  const onFailure: Spec = { template: { spec: { restartPolicy: "OnFailure", containers: [] } } };
  const recorded = (type: "FailureTarget" | "SuccessCriteriaMet", reason: string): JobStatus => ({
    conditions: [{ type, status: "True", reason, message: "because" }],
  });
  const rows: { name: string; spec?: Spec; status?: JobStatus; pods?: Pod[]; ends: string | undefined }[] = [
    { name: "is not there while it may go on", pods: [pod("Running")], ends: undefined },
    {
      name: "is not there after as many failures as are allowed",
      spec: { backoffLimit: 2 },
      status: { failed: 1 },
      pods: [pod("Failed")],
      ends: undefined,
    },
    {
      name: "comes with one failure more",
      spec: { backoffLimit: 2 },
      status: { failed: 2 },
      pods: [pod("Failed")],
      ends: "Failed BackoffLimitExceeded",
    },
    {
      name: "does not count a pod twice",
      spec: { backoffLimit: 0 },
      status: { failed: 0 },
      pods: [pod("Failed", { counted: true })],
      ends: undefined,
    },
    {
      name: "counts pods that are only mentioned",
      spec: { backoffLimit: 0 },
      status: { uncountedTerminatedPods: { failed: ["x"] } },
      ends: "Failed BackoffLimitExceeded",
    },
    {
      name: "comes with restarts in place",
      spec: { ...onFailure, backoffLimit: 3 },
      pods: [restarted(2), restarted(1)],
      ends: "Failed BackoffLimitExceeded",
    },
    {
      name: "does not come with fewer restarts",
      spec: { ...onFailure, backoffLimit: 4 },
      pods: [restarted(2), restarted(1)],
      ends: undefined,
    },
    {
      name: "comes with the deadline",
      spec: { activeDeadlineSeconds: 10 },
      status: { startTime: ago(10) },
      ends: "Failed DeadlineExceeded",
    },
    {
      name: "does not come with the deadline when it is suspended",
      spec: { activeDeadlineSeconds: 10, suspend: true },
      status: { startTime: ago(20) },
      ends: undefined,
    },
    {
      name: "comes when all indexes have ended and some failed",
      spec: indexed(2, { backoffLimitPerIndex: 0 }),
      status: { completedIndexes: "0" },
      pods: [pod("Failed", { index: 1 })],
      ends: "Failed FailedIndexes",
    },
    {
      name: "comes with too many failed indexes",
      spec: indexed(5, { backoffLimitPerIndex: 0, maxFailedIndexes: 1 }),
      status: { failedIndexes: "3" },
      pods: [pod("Failed", { index: 1 })],
      ends: "Failed MaxFailedIndexesExceeded",
    },
    {
      name: "comes with the success policy",
      spec: indexed(5, { successPolicy: { rules: [{ succeededCount: 1 }] } }),
      pods: [pod("Succeeded", { index: 1 }), pod("Running", { index: 2 })],
      ends: "Complete SuccessPolicy",
    },
    {
      name: "is a failure rather than a success",
      spec: indexed(5, { backoffLimit: 0, successPolicy: { rules: [{ succeededCount: 1 }] } }),
      pods: [pod("Succeeded", { index: 1 }), pod("Failed", { index: 2 })],
      ends: "Failed BackoffLimitExceeded",
    },
    {
      name: "stays the failure that was recorded",
      status: recorded("FailureTarget", "PodFailurePolicy"),
      ends: "Failed PodFailurePolicy",
    },
    {
      name: "stays the success that was recorded",
      spec: { backoffLimit: 0 },
      status: { ...recorded("SuccessCriteriaMet", "SuccessPolicy"), failed: 5 },
      ends: "Complete SuccessPolicy",
    },
  ];
  for (const { name, spec, status, pods, ends } of rows)
    it(name, () => {
      const plan = planJob(inputs(jobOf(spec, status), pods));
      expect(plan.outcome && `${plan.outcome.type} ${plan.outcome.reason}`).toBe(ends);
      if (ends) expect(plan.pods.kind).toBe("end");
    });
  it("does not come from failures that the policy ignores", () => {
    const rules = [{ action: "Ignore", onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] as never;
    const failed = pod("Failed");
    const disrupted = {
      ...failed,
      status: { ...failed.status, conditions: [{ type: "DisruptionTarget", status: "True" } as const] },
    };
    const job = jobOf({ backoffLimit: 0, podFailurePolicy: { rules } });
    expect(planJob(inputs(job, [disrupted])).outcome).toBeUndefined();
    expect(planJob(inputs(job, [failed])).outcome).toMatchObject({ reason: "BackoffLimitExceeded" });
  });
});

describe("the status of a Job", () => {
  const statusOf = (given: JobInputs, result: Partial<PodsResult> = {}) => {
    const plan = planJob(given);
    const { ready, terminating } = plan;
    return planStatus(
      plan,
      { active: plan.active.length, ready, terminating, isDone: true, ...result },
      { clearsStartTime: true },
    );
  };
  const uids = (pods: readonly { metadata?: { uid?: string } }[]) => pods.map(({ metadata }) => metadata?.uid);

  it("mentions pods that ended before they lose their finalizer", () => {
    const [ok, bad, busy] = [pod("Succeeded"), pod("Failed"), pod("Running")];
    const { status, isChanged, release } = statusOf(inputs(jobOf({ completions: 3 }), [ok, bad, busy]));
    expect(status.uncountedTerminatedPods).toEqual({ succeeded: uids([ok]), failed: uids([bad]) });
    expect({ isChanged, release: uids(release) }).toEqual({ isChanged: true, release: uids([ok, bad]) });
  });
  it("counts pods that lost it", () => {
    const before: JobStatus = {
      succeeded: 1,
      failed: 2,
      uncountedTerminatedPods: { succeeded: ["a", "b"], failed: ["c"] },
    };
    expect(countReleased(before, new Set(["b"]))).toEqual({
      succeeded: 2,
      failed: 3,
      uncountedTerminatedPods: { succeeded: ["b"] },
    });
    expect(countReleased(before, new Set(["a", "b", "c"]))).toBe(before);
  });
  it("leaves out pods whose finalizer is already gone, though the cache has not seen it", () => {
    const ok = pod("Succeeded");
    const { release, status } = statusOf(
      inputs(jobOf({}, { succeeded: 1 }), [ok], { released: new Set([ok.metadata?.uid ?? ""]) }),
    );
    expect(release).toEqual([]);
    expect(status.succeeded).toBe(1);
  });
  it("mentions at most 500 pods, and the Job does not end before all are counted", () => {
    const plan = statusOf(
      inputs(
        jobOf({ completions: 600 }),
        many(600, () => pod("Succeeded")),
      ),
    );
    expect(plan.status.uncountedTerminatedPods?.succeeded).toHaveLength(500);
    expect(plan.outcome).toBeUndefined();
  });
  it("has the completed indexes, in short", () => {
    const pods = [2, 0, 1, 7].map((index) => pod("Succeeded", { index }));
    const { status } = statusOf(inputs(jobOf(indexed(9), { completedIndexes: "3" }), pods));
    expect(status).toMatchObject({ completedIndexes: "0-3,7", succeeded: 5 });
    expect(status.uncountedTerminatedPods).toEqual({});
  });
  it("forgets indexes that the Job has no more", () => {
    const { status } = statusOf(inputs(jobOf(indexed(2), { completedIndexes: "1-4", succeeded: 4 })));
    expect(status).toMatchObject({ completedIndexes: "1", succeeded: 1 });
  });
  it("keeps a failed pod's finalizer until its index has another pod", () => {
    const failed = pod("Failed", { index: 0 });
    const job = jobOf(indexed(1, { backoffLimitPerIndex: 5 }));
    expect(statusOf(inputs(job, [failed])).release).toEqual([]);
    expect(statusOf(inputs(job, [failed, pod("Running", { index: 0, failures: 1 })])).release).toEqual([failed]);
  });
  it("counts what still ran as failed when the Job failed, but not when it succeeded", () => {
    const busy = pod("Running", { deletedAt: now });
    const run = (type: "FailureTarget" | "SuccessCriteriaMet") =>
      statusOf(inputs(jobOf({ podReplacementPolicy: "Failed" }, { conditions: [{ type, status: "True" }] }), [busy]));
    expect(run("FailureTarget").status.uncountedTerminatedPods).toEqual({ failed: uids([busy]) });
    expect(run("SuccessCriteriaMet").status.uncountedTerminatedPods).toEqual({});
  });
  it("records how the Job will end only when all active pods were deleted", () => {
    const given = inputs(jobOf({ backoffLimit: 0 }), [pod("Failed"), pod("Running")]);
    expect(statusOf(given, { isDone: false }).outcome).toBeUndefined();
    expect(statusOf(given).status.conditions).toMatchObject([
      { type: "FailureTarget", reason: "BackoffLimitExceeded" },
    ]);
    expect(statusOf({ ...given, isSettled: false }).outcome).toBeUndefined();
  });
  it("reports that the Job is suspended or resumed, once", () => {
    const suspended = statusOf(inputs(jobOf({ suspend: true }, { startTime: ago(9) })));
    expect(suspended.transition).toBe("Suspended");
    expect(suspended.status.startTime).toBeUndefined();
    const { conditions = [] } = suspended.status;
    const again = statusOf(inputs(jobOf({ suspend: true }, { conditions } as JobStatus)));
    expect(again.transition).toBeUndefined();
    const resumed = statusOf(inputs(jobOf({}, { conditions } as JobStatus)));
    expect({ transition: resumed.transition, startTime: resumed.status.startTime }).toEqual({
      transition: "Resumed",
      startTime: ago(0),
    });
    expect(resumed.status.conditions).toMatchObject([{ type: "Suspended", status: "False", reason: "JobResumed" }]);
  });
  it("is not written where nothing changes", () => {
    const status: JobStatus = { active: 1, ready: 0, terminating: 0, startTime: ago(5), uncountedTerminatedPods: {} };
    expect(statusOf(inputs(jobOf({}, status), [pod("Running")])).isChanged).toBe(false);
  });
  const outcome = { type: "Complete", reason: "CompletionsReached", message: "m", isRecorded: true } as const;
  it("is final once nothing is uncounted and nothing terminates", () => {
    expect(finishStatus({}, { outcome, terminating: 1, now })).toBeUndefined();
    expect(
      finishStatus({ uncountedTerminatedPods: { failed: ["x"] } }, { outcome, terminating: 0, now }),
    ).toBeUndefined();
    expect(finishStatus({}, { outcome, terminating: 0, now })).toMatchObject({
      completionTime: ago(0),
      conditions: [{ type: "Complete", status: "True", reason: "CompletionsReached" }],
    });
  });
});
