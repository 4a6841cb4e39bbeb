import { formatTime } from "@coxswain/apimachinery/time";
import type { CachedPod } from "../pods/pod-state.js";
import { completionIndexOf, validIndexOf } from "./completion-index.js";
import { newCondition, withCondition } from "./conditions.js";
import { countIndexes, formatIntervals, includesIndex, withIndexes } from "./index-intervals.js";
import {
  type CachedJobCondition,
  type CachedJobStatus,
  isIndexed,
  isPodFailed,
  isSuspended,
  isTracked,
} from "./job-state.js";
import type { JobPlan, Outcome } from "./plan.js";
import { matchFailurePolicy } from "./pod-failure-policy.js";

/** So many pods are counted in one reconcile: it keeps the UIDs in the status below 20 KB. */
const maxUncounted = 500;

/** What became of the plan for pods. */
export interface PodsResult {
  readonly active: number;
  readonly ready: number;
  readonly terminating: number;
  /** Whether everything was done; false: deletions failed. */
  readonly isDone: boolean;
}

export interface StatusPlan {
  /** To be written before finalizers are removed: it has the UIDs of the pods that lose theirs. */
  readonly status: CachedJobStatus;
  readonly isChanged: boolean;
  /** Pods that lose their finalizer afterwards. */
  readonly release: readonly CachedPod[];
  /** UIDs of the pods that have a finalizer. */
  readonly tracked: ReadonlySet<string>;
  /** How the Job ends once the status has no uncounted pods any more. */
  readonly outcome: Outcome | undefined;
  /** What happened to the Job, for an event. */
  readonly transition?: "Suspended" | "Resumed";
  /** Failed pods by the action of the policy, for a metric. */
  readonly policyActions: readonly string[];
}

export interface PlanStatusOptions {
  /** Whether a Job that is suspended loses its start time. */
  readonly clearsStartTime: boolean;
}

/** Pure: the status after pods were created or deleted, and which pods are counted now. */
export function planStatus(plan: JobPlan, result: PodsResult, options: PlanStatusOptions): StatusPlan {
  const { job, now } = plan.inputs;
  const before = job.status ?? {};
  const isEnding = plan.pods.kind === "end";
  // Pods that were not deleted, or that the cache does not show yet, could not be counted.
  const mayEnd = result.isDone && plan.inputs.isSettled;
  const outcome = isEnding ? (mayEnd ? plan.outcome : undefined) : completionOf(plan, result.active);
  const isManaged = !isEnding && plan.pods.kind !== "hold";
  const transition = isManaged && outcome === undefined ? planTransition(plan, options) : undefined;
  const startTime = transition ? transition.startTime : (before.startTime ?? timeOf(plan.startMs));

  const pods = isIndexed(job) ? [...plan.inputs.pods].sort(byIndex) : plan.inputs.pods;
  const counting = countPods(plan, pods, outcome);
  const { startTime: _start, completedIndexes: _completed, failedIndexes: _failed, ...rest } = counting.status;
  const conditions = withInterim(transition?.conditions ?? before.conditions ?? [], outcome, now);
  const status: CachedJobStatus = {
    ...rest,
    ...(startTime !== undefined && { startTime }),
    ...indexFields(plan, counting.newIndexes),
    active: result.active,
    ready: result.ready,
    terminating: result.terminating,
    ...(conditions.length > 0 && { conditions }),
  };
  const isChanged =
    counting.isChanged ||
    transition !== undefined ||
    (outcome !== undefined && !outcome.isRecorded) ||
    result.active !== (before.active ?? 0) ||
    result.ready !== before.ready ||
    result.terminating !== before.terminating ||
    status.completedIndexes !== before.completedIndexes ||
    status.failedIndexes !== before.failedIndexes;
  return {
    status,
    isChanged,
    release: counting.release,
    tracked: counting.tracked,
    // The rest is counted by the next reconcile, which the change of the status causes.
    outcome: counting.isCutShort ? undefined : outcome,
    ...(transition && { transition: transition.event }),
    policyActions: counting.policyActions,
  };
}

const timeOf = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : formatTime(ms));

const byIndex = (a: CachedPod, b: CachedPod): number => (completionIndexOf(a) ?? -1) - (completionIndexOf(b) ?? -1);

/** Enough pods have succeeded and none is active. */
function completionOf({ inputs: { job }, succeeded }: JobPlan, active: number): Outcome | undefined {
  const needed = job.spec?.completions ?? 1;
  if (succeeded < needed || active > 0) return undefined;
  const message = "Reached expected number of succeeded pods";
  return { type: "Complete", reason: "CompletionsReached", message, isRecorded: false };
}

const suspended = { type: "Suspended", status: "True", reason: "JobSuspended", message: "Job suspended" } as const;
const resumed = { type: "Suspended", status: "False", reason: "JobResumed", message: "Job resumed" } as const;

/** A Job that is resumed starts anew: its deadline counts the time that it is continuously active. */
function planTransition({ inputs: { job, now } }: JobPlan, { clearsStartTime }: PlanStatusOptions) {
  const conditions = job.status?.conditions ?? [];
  if (isSuspended(job)) {
    const next = withCondition(conditions, newCondition(suspended, now));
    const startTime = clearsStartTime ? undefined : job.status?.startTime;
    return next === conditions ? undefined : { event: "Suspended" as const, conditions: next, startTime };
  }
  const next = withCondition(conditions, newCondition(resumed, now));
  return next === conditions ? undefined : { event: "Resumed" as const, conditions: next, startTime: formatTime(now) };
}

/** With the condition for how the Job will end, before any pod loses its finalizer. */
function withInterim(
  conditions: readonly CachedJobCondition[],
  outcome: Outcome | undefined,
  now: number,
): readonly CachedJobCondition[] {
  if (outcome === undefined || outcome.isRecorded) return conditions;
  const type = outcome.type === "Failed" ? "FailureTarget" : "SuccessCriteriaMet";
  const { reason, message } = outcome;
  return [...conditions, newCondition({ type, status: "True", reason, message }, now)];
}

interface Counting {
  readonly status: CachedJobStatus;
  readonly isChanged: boolean;
  readonly release: readonly CachedPod[];
  readonly tracked: ReadonlySet<string>;
  readonly newIndexes: readonly number[];
  readonly isCutShort: boolean;
  readonly policyActions: readonly string[];
}

/** Which pods have ended: their UIDs go into the status, so that a restart counts none twice. */
function countPods(plan: JobPlan, pods: readonly CachedPod[], outcome: Outcome | undefined): Counting {
  const { job, released } = plan.inputs;
  const unseen = pods.filter((pod) => isTracked(pod) && !released.has(pod.metadata?.uid ?? ""));
  const tracked = new Set(unseen.map(({ metadata }) => metadata?.uid ?? ""));
  const before = job.status ?? {};
  const counted = countReleased(before, tracked);
  const succeeded = [...(counted.uncountedTerminatedPods?.succeeded ?? [])];
  const failed = [...(counted.uncountedTerminatedPods?.failed ?? [])];
  const known = { succeeded: new Set(succeeded), failed: new Set(failed) };
  const release: CachedPod[] = [];
  const newIndexes: number[] = [];
  const policyActions: string[] = [];
  const mentioned = succeeded.length + failed.length;
  let isCutShort = false;
  for (const pod of unseen) {
    const hasFailed = isPodFailed(pod, job);
    if (!mayRelease(plan, pod, { hasFailed, outcome })) continue;
    const uid = pod.metadata?.uid ?? "";
    const index = validIndexOf(pod, job);
    release.push(pod);
    if (pod.status?.phase === "Succeeded" && !known.failed.has(uid)) {
      // An index is counted once by itself and needs no UID.
      if (!isIndexed(job)) {
        if (!known.succeeded.has(uid)) succeeded.push(uid);
      } else if (index !== undefined && !includesIndex(plan.recordedIndexes, index)) newIndexes.push(index);
    } else if (hasFailed || outcome?.type === "Failed") {
      // When the Job has failed, so has every pod that has not ended.
      if (!known.failed.has(uid) && (!isIndexed(job) || index !== undefined)) {
        const { action, isCounted } = matchFailurePolicy(job.spec?.podFailurePolicy, pod);
        if (action !== undefined) policyActions.push(action);
        if (isCounted) failed.push(uid);
      }
    }
    isCutShort = newIndexes.length + succeeded.length + failed.length >= maxUncounted;
    if (isCutShort) break;
  }
  return {
    status: withUncounted(counted, { succeeded, failed }),
    isChanged: counted !== before || newIndexes.length > 0 || succeeded.length + failed.length > mentioned,
    release,
    tracked,
    newIndexes,
    isCutShort,
    policyActions,
  };
}

/** All may when the Job is over; else those that ended, unless the pod that replaces them has yet to learn how often its index failed. */
function mayRelease(
  { inputs: { job }, replaceable }: JobPlan,
  pod: CachedPod,
  { hasFailed, outcome }: { readonly hasFailed: boolean; readonly outcome: Outcome | undefined },
): boolean {
  if (job.metadata?.deletionTimestamp || outcome || pod.status?.phase === "Succeeded") return true;
  if (!hasFailed) return false;
  return replaceable.get(completionIndexOf(pod) ?? -1) !== pod;
}

function indexFields(
  { inputs: { job }, succeededIndexes, failedIndexes }: JobPlan,
  newIndexes: readonly number[],
): CachedJobStatus {
  if (!isIndexed(job)) return {};
  const all = withIndexes(succeededIndexes, newIndexes);
  const text = formatIntervals(all);
  return {
    succeeded: countIndexes(all),
    ...(text !== "" && { completedIndexes: text }),
    ...(failedIndexes && { failedIndexes: formatIntervals(failedIndexes) }),
  };
}

/** Pure: uncounted pods that have no finalizer any more become counted. The same object where there are none. */
export function countReleased(status: CachedJobStatus, tracked: ReadonlySet<string>): CachedJobStatus {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const left = {
    succeeded: succeeded.filter((uid) => tracked.has(uid)),
    failed: failed.filter((uid) => tracked.has(uid)),
  };
  if (left.succeeded.length === succeeded.length && left.failed.length === failed.length) return status;
  return {
    ...withUncounted(status, left),
    succeeded: (status.succeeded ?? 0) + succeeded.length - left.succeeded.length,
    failed: (status.failed ?? 0) + failed.length - left.failed.length,
  };
}

const withUncounted = (
  status: CachedJobStatus,
  { succeeded, failed }: { readonly succeeded: readonly string[]; readonly failed: readonly string[] },
): CachedJobStatus => ({
  ...status,
  uncountedTerminatedPods: {
    ...(succeeded.length > 0 && { succeeded }),
    ...(failed.length > 0 && { failed }),
  },
});

/** Pure: the final status; undefined: pods are still to be counted, or to terminate. */
export function finishStatus(
  status: CachedJobStatus,
  { outcome, terminating, now }: { readonly outcome: Outcome; readonly terminating: number; readonly now: number },
): CachedJobStatus | undefined {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  if (succeeded.length + failed.length > 0 || terminating > 0) return undefined;
  const { type, reason, message } = outcome;
  const condition = newCondition({ type, status: "True", reason, message }, now);
  return {
    ...status,
    conditions: withCondition(status.conditions ?? [], condition),
    ...(type === "Complete" && { completionTime: formatTime(now) }),
  };
}
