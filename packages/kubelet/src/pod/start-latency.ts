import { type CachedPod, initContainersOf } from "../objects/cached-pod.js";

/** How long a pod took to start. */
export interface StartLatency {
  /** Since it was created, in milliseconds. */
  readonly totalMs: number;
  /** Without pulls of images and init containers: the service level indicator of the start of pods. */
  readonly sliMs: number;
  /** Volumes that are more than files of its own: pods with such are not in the indicator. */
  readonly isStateful: boolean;
  readonly hasOwnNetwork: boolean;
}

/** Pure: undefined while a container has not been started. Upstream's `pkg/kubelet/util/pod_startup_latency_tracker.go`. */
export function planStartLatency(pod: CachedPod, pulledMs: number, now: number): StartLatency | undefined {
  const { containerStatuses = [] } = pod.status ?? {};
  if (containerStatuses.length === 0 || containerStatuses.some(({ state }) => !state?.running?.startedAt)) return;
  const totalMs = now - Date.parse(pod.metadata?.creationTimestamp ?? "");
  if (Number.isNaN(totalMs)) return;
  return {
    totalMs,
    sliMs: totalMs - pulledMs - initMs(pod),
    isStateful: (pod.spec?.volumes ?? []).some((volume) => !ownFiles.some((type) => volume[type] !== undefined)),
    hasOwnNetwork: pod.spec?.hostNetwork !== true,
  };
}

const ownFiles = ["secret", "configMap", "downwardAPI", "emptyDir", "projected"] as const;

/** What init containers ran, those that go on next to the others left out. */
function initMs(pod: CachedPod): number {
  const sidecars = new Set(initContainersOf(pod).flatMap(({ name, restartPolicy }) => (restartPolicy ? [name] : [])));
  return (pod.status?.initContainerStatuses ?? [])
    .filter(({ name }) => !sidecars.has(name))
    .reduce((sum, { state }) => {
      const { startedAt, finishedAt } = state?.terminated ?? {};
      return startedAt && finishedAt ? sum + Math.max(0, Date.parse(finishedAt) - Date.parse(startedAt)) : sum;
    }, 0);
}
