import { parseTimeMs } from "@coxswain/apimachinery/time";
import { type CachedPod, podCondition } from "../pods/pod-state.js";

/** How often pods of a Job failed since one succeeded. Kept in memory only: after a restart, back-off begins anew. */
export interface BackoffRecord {
  readonly failures: number;
  readonly lastFailureMs: number;
}

export const noFailures: BackoffRecord = { failures: 0, lastFailureMs: 0 };

/** The first wait after a failure, in milliseconds; it doubles with each further one. */
const firstBackoffMs = 10_000;
const maxBackoffMs = 600_000;

/** Pure: the record after these pods have ended. A success forgets the failures before it. */
export function recordEnds(
  before: BackoffRecord,
  { succeeded, failed }: { readonly succeeded: readonly CachedPod[]; readonly failed: readonly CachedPod[] },
): BackoffRecord {
  const failures = failed.map(finishedAtMs);
  if (succeeded.length === 0)
    return failures.length === 0
      ? before
      : { failures: before.failures + failures.length, lastFailureMs: failures.reduce((a, b) => Math.max(a, b)) };
  const lastSuccessMs = succeeded.map(finishedAtMs).reduce((a, b) => Math.max(a, b));
  const later = failures.filter((time) => time > lastSuccessMs);
  return { failures: later.length, lastFailureMs: later.reduce((a, b) => Math.max(a, b), 0) };
}

/** Pure: for how many milliseconds no pod may be created. */
export function remainingBackoffMs({ failures, lastFailureMs }: BackoffRecord, now: number): number {
  if (failures === 0) return 0;
  // From 2^6 times the first wait on, the limit is reached.
  const backoffMs = Math.min(firstBackoffMs * 2 ** Math.min(failures - 1, 10), maxBackoffMs);
  return Math.max(0, lastFailureMs + backoffMs - now);
}

/** When a pod ended: by its containers' statuses, else since it is not ready, else since it is being deleted, else when it was created. */
export function finishedAtMs(pod: CachedPod): number {
  const ofContainers = containersFinishedAt(pod);
  if (ofContainers !== undefined) return ofContainers;
  const ready = podCondition(pod, "Ready");
  if (ready?.status === "False" && ready.lastTransitionTime) return parseTimeMs(ready.lastTransitionTime) ?? 0;
  const { deletionTimestamp, deletionGracePeriodSeconds = 0, creationTimestamp } = pod.metadata ?? {};
  if (deletionTimestamp) return (parseTimeMs(deletionTimestamp) ?? 0) - deletionGracePeriodSeconds * 1000;
  return creationTimestamp ? (parseTimeMs(creationTimestamp) ?? 0) : 0;
}

/** When the last container, sidecars included, ended; undefined: one has not. */
function containersFinishedAt({ spec, status }: CachedPod): number | undefined {
  const sidecars = new Set(
    (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === "Always").map(({ name }) => name),
  );
  const statuses = [
    ...(status?.containerStatuses ?? []),
    ...(status?.initContainerStatuses ?? []).filter(({ name }) => sidecars.has(name)),
  ];
  let latest: number | undefined;
  for (const { state } of statuses) {
    const finishedAt = state?.terminated?.finishedAt;
    const time = finishedAt ? parseTimeMs(finishedAt) : undefined;
    if (time === undefined) return undefined;
    latest = Math.max(latest ?? time, time);
  }
  return latest;
}
