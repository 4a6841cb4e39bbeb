import type { DeepReadonly } from "@coxswain/api";
import type { Pod, PodCondition } from "@coxswain/api/core/v1";
import { parseTimeMs } from "@coxswain/apimachinery/time";

/** A pod as caches hold it. */
export type CachedPod = DeepReadonly<Pod>;

/** Its containers have stopped for good. */
export const isPodTerminal = ({ status }: CachedPod): boolean =>
  status?.phase === "Succeeded" || status?.phase === "Failed";

/** It counts as a replica: neither stopped for good nor being deleted. */
export const isPodActive = (pod: CachedPod): boolean => !isPodTerminal(pod) && !isBeingDeleted(pod);

/** It is being deleted and has not stopped yet. */
export const isPodTerminating = (pod: CachedPod): boolean => !isPodTerminal(pod) && isBeingDeleted(pod);

/** No container runs any more: the pod has ended, or it is being deleted and all of them have stopped or never began. */
export const hasPodStopped = (pod: CachedPod): boolean =>
  isPodTerminal(pod) ||
  (isBeingDeleted(pod) &&
    (pod.status?.containerStatuses ?? []).every(({ state }) => state?.terminated || state?.waiting));

export const isBeingDeleted = ({ metadata }: CachedPod): boolean => Boolean(metadata?.deletionTimestamp);

export const podCondition = ({ status }: CachedPod, type: string): DeepReadonly<PodCondition> | undefined =>
  status?.conditions?.find((condition) => condition.type === type);

export const isPodReady = (pod: CachedPod): boolean => podCondition(pod, "Ready")?.status === "True";

/** When the pod became ready, in milliseconds; undefined: it is not, or nobody knows since when. */
export function readySince(pod: CachedPod): number | undefined {
  const condition = podCondition(pod, "Ready");
  return condition?.status === "True" && condition.lastTransitionTime
    ? parseTimeMs(condition.lastTransitionTime)
    : undefined;
}

/** It is ready, and has been for so many seconds. */
export function isPodAvailable(pod: CachedPod, minReadySeconds: number, now: number): boolean {
  if (!isPodReady(pod)) return false;
  if (minReadySeconds === 0) return true;
  const since = readySince(pod);
  return since !== undefined && since + minReadySeconds * 1000 <= now;
}

/** In how many milliseconds the first of the pods that are ready becomes available; undefined: none of them will by waiting. */
export function nextAvailability(pods: readonly CachedPod[], minReadySeconds: number, now: number): number | undefined {
  if (minReadySeconds <= 0) return undefined;
  let next: number | undefined;
  for (const pod of pods) {
    const since = readySince(pod);
    const wait = since === undefined ? 0 : since + minReadySeconds * 1000 - now;
    if (wait > 0 && (next === undefined || wait < next)) next = wait;
  }
  return next;
}
