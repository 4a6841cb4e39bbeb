import { append } from "@coxswain/apimachinery/append";
import { getOwn } from "@coxswain/apimachinery/own";
import { byDeletionOrder } from "../pods/deletion-order.js";
import type { CachedPod } from "../pods/pod-state.js";
import { type CachedJob, completionsOf, isPodFailed } from "./job-state.js";
import { matchFailurePolicy } from "./pod-failure-policy.js";

/** Annotation and label of the pods of indexed Jobs. */
export const completionIndexName = "batch.kubernetes.io/job-completion-index";
export const indexFailureCountName = "batch.kubernetes.io/job-index-failure-count";
export const indexIgnoredFailureCountName = "batch.kubernetes.io/job-index-ignored-failure-count";

/** Undefined: the pod has none that can be read. */
export function completionIndexOf({ metadata }: CachedPod): number | undefined {
  const text = getOwn(metadata?.annotations, completionIndexName) ?? "";
  return /^\+?\d{1,15}$/.test(text) ? Number(text) : undefined;
}

/** The pod's index, if it is one of those that the Job has now. */
export function validIndexOf(pod: CachedPod, job: CachedJob): number | undefined {
  const index = completionIndexOf(pod);
  return index !== undefined && index < completionsOf(job) ? index : undefined;
}

export function indexesOf(pods: readonly CachedPod[]): Set<number> {
  const indexes = new Set<number>();
  for (const pod of pods) {
    const index = completionIndexOf(pod);
    if (index !== undefined) indexes.add(index);
  }
  return indexes;
}

/** Failures of the index before this pod, without those that the policy ignores and with them. */
export function failureCountsOf({ metadata }: CachedPod): { readonly counted: number; readonly ignored: number } {
  const read = (name: string): number => {
    const text = getOwn(metadata?.annotations, name) ?? "";
    const count = /^\+?\d{1,12}$/.test(text) ? Number(text) : 0;
    return count < 2 ** 31 ? count : 0;
  };
  return { counted: read(indexFailureCountName), ignored: read(indexIgnoredFailureCountName) };
}

/** The index and failure count for the pod that replaces this one; undefined: it is the first of its index. */
export function nextFailureCounts(
  job: CachedJob,
  replaced: CachedPod | undefined,
): { counted: number; ignored: number } {
  if (replaced === undefined) return { counted: 0, ignored: 0 };
  const { counted, ignored } = failureCountsOf(replaced);
  const { isCounted } = matchFailurePolicy(job.spec?.podFailurePolicy, replaced);
  return isCounted ? { counted: counted + 1, ignored } : { counted, ignored: ignored + 1 };
}

/** Whether this pod was the last that its index may have. */
export function failsIndex(job: CachedJob, pod: CachedPod): boolean {
  if (!isPodFailed(pod, job)) return false;
  const { action, isCounted } = matchFailurePolicy(job.spec?.podFailurePolicy, pod);
  if (action === "FailIndex") return true;
  return isCounted && failureCountsOf(pod).counted >= (job.spec?.backoffLimitPerIndex ?? 0);
}

/**
 * Pure: active pods that must go, because they have no valid index or share one, and the others. Of those that share one the pod
 * stays that would be missed most.
 */
export function splitByIndex(
  pods: readonly CachedPod[],
  completions: number,
): { readonly remove: readonly CachedPod[]; readonly keep: readonly CachedPod[] } {
  const remove: CachedPod[] = [];
  const byIndex = new Map<number, CachedPod[]>();
  for (const pod of pods) {
    const index = completionIndexOf(pod);
    const sharing = index === undefined ? undefined : byIndex.get(index);
    if (index === undefined || index >= completions) remove.push(pod);
    else if (sharing) sharing.push(pod);
    else byIndex.set(index, [pod]);
  }
  const keep: CachedPod[] = [];
  for (const [, sharing] of [...byIndex].sort(([a], [b]) => a - b)) {
    const ranked = rankActive(sharing);
    for (const pod of ranked.slice(0, -1)) remove.push(pod);
    append(keep, ranked.slice(-1));
  }
  return { remove, keep };
}

/** Those that are missed least first; neither costs of deletion nor neighbours count. */
export const rankActive = (pods: readonly CachedPod[]): CachedPod[] =>
  byDeletionOrder(pods, { hasDeletionCost: false });
