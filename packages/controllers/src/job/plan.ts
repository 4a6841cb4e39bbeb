import { smallest } from "@coxswain/apimachinery/append";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import { type CachedPod, isPodActive, isPodReady, isPodTerminating } from "../pods/pod-state.js";
import { failsIndex, failureCountsOf, indexesOf, rankActive, splitByIndex, validIndexOf } from "./completion-index.js";
import {
  countIndexes,
  firstOutside,
  type Intervals,
  includesIndex,
  mergeIntervals,
  parseIntervals,
  withIndexes,
} from "./index-intervals.js";
import {
  type CachedJob,
  completionsOf,
  conditionOf,
  hasBackoffLimitPerIndex,
  isIndexed,
  isPodFailed,
  isSuspended,
  isTracked,
  replacesOnlyFailed,
} from "./job-state.js";
import { type BackoffRecord, finishedAtMs, recordEnds, remainingBackoffMs } from "./pod-backoff.js";
import { matchFailurePolicy } from "./pod-failure-policy.js";
import { matchSuccessPolicy } from "./success-policy.js";

/** So many pods are created or deleted in one reconcile. */
export const maxPodsPerReconcile = 500;

/** Changes of pods and of the own status within this time are looked at together, in milliseconds. */
export const batchMs = 1000;

/** What a reconcile sees. */
export interface JobInputs {
  readonly job: CachedJob;
  /** All pods of the Job; those just adopted with the finalizer. */
  readonly pods: readonly CachedPod[];
  /** UIDs of pods whose finalizer was removed, which the cache has not seen yet. */
  readonly released: ReadonlySet<string>;
  /** Whether the cache has seen all pods that were created and deleted. */
  readonly isSettled: boolean;
  readonly backoff: BackoffRecord;
  /** In milliseconds. */
  readonly now: number;
}

/** How the Job ends. It is final once all pods are counted and none is terminating. */
export interface Outcome {
  readonly type: "Failed" | "Complete";
  readonly reason: string;
  readonly message: string;
  /** Whether the status has it already, by the condition FailureTarget or SuccessCriteriaMet. */
  readonly isRecorded: boolean;
}

/** What is done to pods. */
export type PodsPlan =
  /** The Job is over: what is active is deleted and keeps its finalizer until it is counted. */
  | { readonly kind: "end"; readonly pods: readonly CachedPod[] }
  /** These are too many: they are not counted. */
  | { readonly kind: "remove"; readonly pods: readonly CachedPod[] }
  /** `indexes` has as many members for an indexed Job. */
  | { readonly kind: "create"; readonly count: number; readonly indexes?: readonly number[] }
  /** Fewer are active than may be, and none can be created now: it is too early, or no index is left. */
  | { readonly kind: "wait" }
  | { readonly kind: "keep" }
  /** The cache is behind, or the Job is being deleted. */
  | { readonly kind: "hold" };

/** What there is, and what is to be done. */
export interface JobPlan {
  readonly inputs: JobInputs;
  readonly active: readonly CachedPod[];
  readonly ready: number;
  readonly terminating: number;
  /** Counted before, and ended since. */
  readonly succeeded: number;
  readonly failed: number;
  readonly backoff: BackoffRecord;
  readonly startMs: number | undefined;
  readonly outcome: Outcome | undefined;
  /** Indexed Jobs: from the status, and with those that succeeded since. */
  readonly recordedIndexes: Intervals;
  readonly succeededIndexes: Intervals;
  /** Jobs with a back-off limit per index only. */
  readonly failedIndexes: Intervals | undefined;
  /** By index, the failed pod that keeps its finalizer until there is another: it has the count of failures. */
  readonly replaceable: ReadonlyMap<number, CachedPod>;
  readonly pods: PodsPlan;
  readonly requeueAfterMs: number | undefined;
}

/** Pure: decides whether the Job is over, and which pods it needs. */
export function planJob(inputs: JobInputs): JobPlan {
  const { job, pods, now } = inputs;
  const { status } = job;
  const active = pods.filter(isPodActive);
  const uncounted = status?.uncountedTerminatedPods ?? {};
  const newlySucceeded = uncountedPods(
    inputs,
    uncounted.succeeded,
    ({ status: { phase } = {} }) => phase === "Succeeded",
  );
  const newlyFailed = uncountedPods(inputs, uncounted.failed, (pod) => isPodFailed(pod, job));
  const counted = newlyFailed.filter((pod) => matchFailurePolicy(job.spec?.podFailurePolicy, pod).isCounted);
  const failed = (status?.failed ?? 0) + counted.length + (uncounted.failed?.length ?? 0);
  const startMs = startOf(job) ?? (isSuspended(job) ? undefined : now);
  const indexes = planIndexes(inputs, active);
  const succeeded = isIndexed(job)
    ? countIndexes(indexes.succeededIndexes)
    : (status?.succeeded ?? 0) + newlySucceeded.length + (uncounted.succeeded?.length ?? 0);
  const counts = {
    inputs,
    active,
    ready: active.filter(isPodReady).length,
    terminating: pods.filter(isPodTerminating).length,
    succeeded,
    failed,
    backoff: recordEnds(inputs.backoff, { succeeded: newlySucceeded, failed: newlyFailed }),
    startMs,
    ...indexes,
  };
  const outcome = decideOutcome(counts);
  const { pods: podsPlan, waitMs } = planPods({ ...counts, outcome });
  const deadlineMs = outcome === undefined ? deadlineIn(job, startMs, now) : undefined;
  const waits = [waitMs, deadlineMs].filter((ms) => ms !== undefined);
  return { ...counts, outcome, pods: podsPlan, requeueAfterMs: waits.length > 0 ? smallest(waits) : undefined };
}

type Counted = Omit<JobPlan, "outcome" | "pods" | "requeueAfterMs">;

/** Tracked pods that the status does not mention yet; of indexed Jobs only those with a valid index. */
function uncountedPods(
  { job, pods, released }: JobInputs,
  mentioned: readonly string[] = [],
  filter: (pod: CachedPod) => boolean,
): CachedPod[] {
  const known = new Set(mentioned);
  // The filter first: of a Job of 10,000 pods most have not ended, and the rest takes ten times as long.
  return pods.filter((pod) => {
    if (!filter(pod) || !isTracked(pod)) return false;
    const uid = pod.metadata?.uid ?? "";
    return !known.has(uid) && !released.has(uid) && (!isIndexed(job) || validIndexOf(pod, job) !== undefined);
  });
}

const startOf = ({ status }: CachedJob): number | undefined =>
  status?.startTime ? parseTimeMs(status.startTime) : undefined;

/** In how many milliseconds the Job will have been active for too long; undefined: it may be for ever. */
function deadlineIn(job: CachedJob, startMs: number | undefined, now: number): number | undefined {
  const seconds = job.spec?.activeDeadlineSeconds;
  if (seconds === undefined || startMs === undefined || isSuspended(job)) return undefined;
  return startMs + seconds * 1000 - now;
}

function planIndexes(
  inputs: JobInputs,
  active: readonly CachedPod[],
): Pick<JobPlan, "recordedIndexes" | "succeededIndexes" | "failedIndexes" | "replaceable"> {
  const { job, pods } = inputs;
  if (!isIndexed(job))
    return { recordedIndexes: [], succeededIndexes: [], failedIndexes: undefined, replaceable: new Map() };
  const among = (filter: (pod: CachedPod) => boolean): Set<number> =>
    indexesOf(pods.filter((pod) => isTracked(pod) && validIndexOf(pod, job) !== undefined && filter(pod)));
  const recordedIndexes = parseIntervals(job.status?.completedIndexes ?? "", completionsOf(job));
  const succeededIndexes = withIndexes(
    recordedIndexes,
    among(({ status }) => status?.phase === "Succeeded"),
  );
  if (!hasBackoffLimitPerIndex(job))
    return { recordedIndexes, succeededIndexes, failedIndexes: undefined, replaceable: new Map() };
  const failedIndexes = withIndexes(
    parseIntervals(job.status?.failedIndexes ?? "", completionsOf(job)),
    among((pod) => failsIndex(job, pod)),
  );
  const settled = mergeIntervals(succeededIndexes, failedIndexes);
  return { recordedIndexes, succeededIndexes, failedIndexes, replaceable: replaceablePods(inputs, active, settled) };
}

/** Per index that goes on and has no active pod, its latest failed one. */
function replaceablePods(inputs: JobInputs, active: readonly CachedPod[], settled: Intervals): Map<number, CachedPod> {
  const { job } = inputs;
  const busy = indexesOf(active);
  const latest = new Map<number, CachedPod>();
  for (const pod of uncountedPods(inputs, [], (candidate) => isPodFailed(candidate, job))) {
    const index = validIndexOf(pod, job) ?? 0;
    if (busy.has(index) || includesIndex(settled, index)) continue;
    const before = latest.get(index);
    const isLater =
      before === undefined || (allFailures(before) <= allFailures(pod) && finishedAtMs(before) <= finishedAtMs(pod));
    if (isLater) latest.set(index, pod);
  }
  return latest;
}

const allFailures = (pod: CachedPod): number => {
  const { counted, ignored } = failureCountsOf(pod);
  return counted + ignored;
};

/** What was decided before holds; then failures are looked for, then successes. */
function decideOutcome(plan: Counted): Outcome | undefined {
  const { job, pods, now } = plan.inputs;
  const { spec, status } = job;
  const met = conditionOf(status, "SuccessCriteriaMet");
  if (met?.status === "True") return recorded("Complete", met);
  const target = conditionOf(status, "FailureTarget");
  if (target?.status === "True") return recorded("Failed", target);
  const failure = (reason: string, message: string): Outcome => ({
    type: "Failed",
    reason,
    message,
    isRecorded: false,
  });

  const policy = spec?.podFailurePolicy;
  for (const pod of policy ? pods.filter((candidate) => isPodFailed(candidate, job)) : []) {
    const { message } = matchFailurePolicy(policy, pod);
    if (message !== undefined) return failure("PodFailurePolicy", message);
  }
  if (plan.failed > (spec?.backoffLimit ?? 6) || hasRestartedTooOften(job, pods))
    return failure("BackoffLimitExceeded", "Job has reached the specified backoff limit");
  if ((deadlineIn(job, plan.startMs, now) ?? 1) <= 0)
    return failure("DeadlineExceeded", "Job was active longer than specified deadline");
  if (!isIndexed(job)) return undefined;

  const { failedIndexes, succeededIndexes } = plan;
  const failedCount = countIndexes(failedIndexes ?? []);
  if (failedCount > (spec?.maxFailedIndexes ?? Number.POSITIVE_INFINITY))
    return failure("MaxFailedIndexesExceeded", "Job has exceeded the specified maximal number of failed indexes");
  if (failedCount > 0 && failedCount + countIndexes(succeededIndexes) >= completionsOf(job))
    return failure("FailedIndexes", "Job has failed indexes");
  const message = matchSuccessPolicy(spec?.successPolicy, {
    completions: completionsOf(job),
    succeeded: succeededIndexes,
  });
  return message === undefined ? undefined : { type: "Complete", reason: "SuccessPolicy", message, isRecorded: false };
}

const recorded = (
  type: Outcome["type"],
  { reason = "", message = "" }: { readonly reason?: string; readonly message?: string },
): Outcome => ({ type, reason, message, isRecorded: true });

/** Containers that are restarted in place, instead of pods that are replaced, count towards the limit too. */
function hasRestartedTooOften({ spec }: CachedJob, pods: readonly CachedPod[]): boolean {
  if (spec?.template.spec?.restartPolicy !== "OnFailure") return false;
  let restarts = 0;
  for (const { status } of pods)
    if (status?.phase === "Running" || status?.phase === "Pending")
      for (const { restartCount } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])])
        restarts += restartCount;
  return restarts >= Math.max(spec.backoffLimit ?? 6, 1);
}

type Planned = { readonly pods: PodsPlan; readonly waitMs?: number };

function planPods(plan: Counted & { readonly outcome: Outcome | undefined }): Planned {
  const { inputs, active, outcome } = plan;
  const { job, isSettled } = inputs;
  if (outcome) return { pods: { kind: "end", pods: active } };
  if (!isSettled || job.metadata?.deletionTimestamp) return { pods: { kind: "hold" } };
  if (isSuspended(job)) return { pods: { kind: "remove", pods: active } };
  const wanted = wantedPods(plan);
  const surplus = planSurplus(job, active, Math.max(0, active.length - wanted));
  // Deletions go first; what is missing is created once the cache has seen them.
  if (surplus.length > 0) return { pods: { kind: "remove", pods: surplus.slice(0, maxPodsPerReconcile) } };
  const awaited = replacesOnlyFailed(job) ? plan.terminating : 0;
  const missing = wanted - awaited - active.length;
  return missing > 0 ? planCreation(plan, Math.min(missing, maxPodsPerReconcile)) : { pods: { kind: "keep" } };
}

/** How many pods should be active. */
function wantedPods({ inputs: { job }, active, succeeded }: Counted): number {
  const { parallelism = 1, completions } = job.spec ?? {};
  // Without a number of completions, one success is enough, and no pod is started after it.
  if (completions === undefined) return succeeded > 0 ? active.length : parallelism;
  return Math.max(0, Math.min(completions - succeeded, parallelism));
}

function planSurplus(job: CachedJob, active: readonly CachedPod[], atLeast: number): readonly CachedPod[] {
  const { remove, keep } = isIndexed(job) ? splitByIndex(active, completionsOf(job)) : { remove: [], keep: active };
  if (remove.length >= atLeast) return remove;
  return [...remove, ...rankActive(keep).slice(0, atLeast - remove.length)];
}

/** Waits after failures: for all pods of the Job alike, or per index. */
function planCreation(plan: Counted, count: number): Planned {
  const { job, now, pods } = plan.inputs;
  if (!hasBackoffLimitPerIndex(job)) {
    const waitMs = remainingBackoffMs(plan.backoff, now);
    if (waitMs > 0) return { pods: { kind: "wait" }, waitMs: Math.max(waitMs, batchMs) };
  }
  if (!isIndexed(job)) return { pods: { kind: "create", count } };
  const terminating = replacesOnlyFailed(job) ? pods.filter(isPodTerminating) : [];
  const busy = indexesOf([...plan.active, ...terminating]);
  const taken = mergeIntervals(withIndexes(plan.succeededIndexes, busy), plan.failedIndexes ?? []);
  const waiting: number[] = [];
  const indexes = firstOutside(taken, { count, completions: completionsOf(job) }).filter((index) => {
    const replaced = plan.replaceable.get(index);
    const waitMs = replaced
      ? remainingBackoffMs({ failures: allFailures(replaced) + 1, lastFailureMs: finishedAtMs(replaced) }, now)
      : 0;
    if (waitMs > 0) waiting.push(waitMs);
    return waitMs === 0;
  });
  if (indexes.length > 0) return { pods: { kind: "create", count: indexes.length, indexes } };
  if (waiting.length === 0) return { pods: { kind: "wait" } };
  return { pods: { kind: "wait" }, waitMs: Math.max(smallest(waiting), batchMs) };
}
