import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import type { CachedPod } from "../pods/pod-state.js";
import { isPodTerminal } from "../pods/pod-state.js";
import { countIndexes, parseIntervals } from "./index-intervals.js";
import {
  type CachedJob,
  type CachedJobStatus,
  completionsOf,
  hasBackoffLimitPerIndex,
  isIndexed,
  isTracked,
} from "./job-state.js";
import type { Outcome } from "./plan.js";

/** What a reconcile did: the label "action". */
export type SyncAction = "reconciling" | "tracking" | "pods_created" | "pods_deleted";

/** What the Job controller counts about itself, under upstream's names (pkg/controller/job/metrics/metrics.go). */
export interface JobMetrics {
  synced(job: CachedJob, sync: { action: SyncAction; result: "success" | "error"; seconds: number }): void;
  /** A reconcile waited for its cache. */
  skipped(group: string, resource: string): void;
  finished(job: CachedJob, outcome: Outcome): void;
  /** The status was written. */
  counted(job: CachedJob, before: CachedJobStatus, after: CachedJobStatus): void;
  created(reason: string, result: { succeeded: number; failed: number }): void;
  policyActions(actions: readonly string[]): void;
  managedBy(controller: string): void;
  /** A pod changed; undefined: it was not there before, or is gone. */
  podChanged(before: CachedPod | undefined, after: CachedPod | undefined): void;
}

export function createJobMetrics(metrics: Metrics): JobMetrics {
  const { syncs, durations, jobs, pods, indexes, creations, handled, external, tracked, skips } =
    createFamilies(metrics);
  const mode = (job: CachedJob): string => (isIndexed(job) ? "Indexed" : "NonIndexed");
  const isHeld = (pod: CachedPod | undefined): boolean => pod !== undefined && isPodTerminal(pod) && isTracked(pod);
  return {
    synced(job, { action, result, seconds }) {
      durations.with(mode(job), result, action).observe(seconds);
      syncs.with(mode(job), result, action).add(1);
    },
    skipped: (group, resource) => skips.with(group, resource).add(1),
    finished: (job, { type, reason }) =>
      jobs.with(mode(job), type === "Complete" ? "succeeded" : "failed", reason).add(1),
    counted(job, before, after) {
      const grown = (text: (status: CachedJobStatus) => string | undefined): number => {
        const count = (status: CachedJobStatus): number =>
          countIndexes(parseIntervals(text(status) ?? "", completionsOf(job)));
        return Math.max(0, count(after) - count(before));
      };
      const succeeded = isIndexed(job)
        ? grown(({ completedIndexes }) => completedIndexes)
        : (after.succeeded ?? 0) - (before.succeeded ?? 0);
      pods.with(mode(job), "succeeded").add(succeeded);
      pods.with(mode(job), "failed").add((after.failed ?? 0) - (before.failed ?? 0));
      if (!isIndexed(job)) return;
      const limit = hasBackoffLimitPerIndex(job) ? "perIndex" : "global";
      indexes.with("succeeded", limit).add(succeeded);
      if (hasBackoffLimitPerIndex(job)) indexes.with("failed", limit).add(grown(({ failedIndexes }) => failedIndexes));
    },
    created(reason, { succeeded, failed }) {
      if (succeeded > 0) creations.with(reason, "succeeded").add(succeeded);
      if (failed > 0) creations.with(reason, "failed").add(failed);
    },
    policyActions(actions) {
      for (const action of actions) handled.with(action).add(1);
    },
    managedBy: (controller) => external.with(controller).add(1),
    podChanged(before, after) {
      if (isHeld(before) !== isHeld(after)) tracked.with(isHeld(after) ? "add" : "delete").add(1);
    },
  };
}

function createFamilies(metrics: Metrics) {
  const counter = (name: string, help: string, stability: "STABLE" | "BETA" | "ALPHA", labels: readonly string[]) =>
    metrics.counter({ name: `job_controller_${name}`, help, stability, labels });
  const syncLabels = ["completion_mode", "result", "action"];
  const syncs = counter("job_syncs_total", "The number of job syncs", "STABLE", syncLabels);
  const durations = metrics.histogram({
    name: "job_controller_job_sync_duration_seconds",
    help: "The time it took to sync a job",
    stability: "STABLE",
    labels: syncLabels,
    buckets: exponentialBuckets(0.004, 2, 15),
  });
  const jobs = counter("jobs_finished_total", "The number of finished jobs", "STABLE", [
    "completion_mode",
    "result",
    "reason",
  ]);
  const pods = counter("job_pods_finished_total", "The number of finished Pods that are fully tracked", "STABLE", [
    "completion_mode",
    "result",
  ]);
  const indexes = counter(
    "job_finished_indexes_total",
    "The number of finished indexes, by status and by the kind of back-off limit",
    "ALPHA",
    ["status", "backoffLimit"],
  );
  const creations = counter(
    "job_pods_creation_total",
    "The number of Pods created, by the reason of their creation and by success",
    "ALPHA",
    ["reason", "status"],
  );
  const handled = counter(
    "pod_failures_handled_by_failure_policy_total",
    "The number of failed Pods that a rule of the failure policy matched, by its action",
    "BETA",
    ["action"],
  );
  const external = counter(
    "jobs_by_external_controller_total",
    "The number of Jobs managed by an external controller",
    "ALPHA",
    ["controller_name"],
  );
  const tracked = counter(
    "terminated_pods_tracking_finalizer_total",
    "The number of terminated pods that got or lost the tracking finalizer",
    "BETA",
    ["event"],
  );
  const skips = counter(
    "stale_sync_skips_total",
    "Total number of Job syncs skipped due to a stale watch cache.",
    "ALPHA",
    ["group", "resource"],
  );
  return { syncs, durations, jobs, pods, indexes, creations, handled, external, tracked, skips };
}
