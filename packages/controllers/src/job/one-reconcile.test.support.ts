import type { JobStatus, PodFailurePolicy } from "@coxswain/api/batch/v1";
import type { Pod } from "@coxswain/api/core/v1";
import { expect, it } from "vitest";
import { isPodReady } from "../pods/pod-state.js";
import { actionOf, ago, inputs, jobOf, many, now, pod, type Spec } from "./job.test.support.js";
import { type JobInputs, planJob } from "./plan.js";
import { countReleased, finishStatus, planStatus } from "./plan-status.js";

/** A whole reconcile in which every request succeeds: what is done to pods, and the status at its end. */
export function reconcile(given: JobInputs) {
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

export const running = (count: number): Pod[] => many(count, () => pod("Running"));
export const ready = (count: number): Pod[] => many(count, () => pod("Running", { readySince: now }));
export const terminating = (count: number): Pod[] => many(count, () => pod("Running", { deletedAt: now }));
export const disrupted = (made: Pod): Pod => ({
  ...made,
  status: { ...made.status, conditions: [{ type: "DisruptionTarget", status: "True" }] },
});
export const onDisruption = (action: string): { podFailurePolicy: PodFailurePolicy } => ({
  podFailurePolicy: { rules: [{ action, onPodConditions: [{ type: "DisruptionTarget", status: "True" }] }] } as never,
});
export const withoutIndex = (phase: "Running" | "Succeeded" | "Failed" | "Pending"): Pod => pod(phase);

export interface ReconcileRow {
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

export const justFailed = { backoff: { failures: 1, lastFailureMs: now } };
export const suspendedBefore: JobStatus = {
  conditions: [{ type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" }],
};
export const failedBackoff = ["FailureTarget BackoffLimitExceeded", "Failed BackoffLimitExceeded"];

export function describeReconciles(rows: readonly ReconcileRow[]): void {
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
}
