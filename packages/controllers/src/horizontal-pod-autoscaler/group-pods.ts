import { parseTimeMs } from "@coxswain/apimachinery/time";
import { type CachedPod, isBeingDeleted, podCondition } from "../pods/pod-state.js";
import type { PodMetric, PodMetrics } from "../settings/metrics-source.js";

export interface GroupOptions {
  /** Only samples of "cpu" are distrusted while a pod starts. */
  readonly resource: string | undefined;
  /** --horizontal-pod-autoscaler-cpu-initialization-period, in milliseconds. */
  readonly cpuInitializationMs: number;
  /** --horizontal-pod-autoscaler-initial-readiness-delay, in milliseconds. */
  readonly initialReadinessMs: number;
  readonly now: number;
}

/** Pods by what their metrics are worth. */
export interface PodGroups {
  readonly ready: number;
  /** Names of pods that do not do their work yet. */
  readonly unready: readonly string[];
  /** Names of pods without metrics. */
  readonly missing: readonly string[];
  /** The metrics of the others. */
  readonly metrics: PodMetrics;
}

/** Pure. Pods that failed or are being deleted count for nothing. */
export function groupPods(pods: readonly CachedPod[], metrics: PodMetrics, options: GroupOptions): PodGroups {
  const unready: string[] = [];
  const missing: string[] = [];
  const left = new Map(metrics);
  let ready = 0;
  for (const pod of pods) {
    const name = pod.metadata?.name ?? "";
    const metric = metrics.get(name);
    if (isBeingDeleted(pod) || pod.status?.phase === "Failed") left.delete(name);
    else if (pod.status?.phase === "Pending") unready.push(name);
    else if (metric === undefined) missing.push(name);
    else if (options.resource === "cpu" && isStarting(pod, metric, options)) unready.push(name);
    else ready++;
  }
  for (const name of unready) left.delete(name);
  return { ready, unready, missing, metrics: left };
}

/** Its CPU sample does not count: the pod is not ready, or the sample is older than that. */
function isStarting(pod: CachedPod, metric: PodMetric, options: GroupOptions): boolean {
  const condition = podCondition(pod, "Ready");
  if (condition === undefined || !pod.status?.startTime) return true;
  const startMs = parseTimeMs(pod.status.startTime) ?? 0;
  const sinceMs = parseTimeMs(condition.lastTransitionTime ?? "") ?? 0;
  const isUnready = condition.status === "False";
  if (startMs + options.cpuInitializationMs > options.now)
    return isUnready || metric.timestampMs < sinceMs + metric.windowMs;
  // Later on only a pod that has never been ready.
  return isUnready && startMs + options.initialReadinessMs > sinceMs;
}
