import { getOwn } from "@coxswain/apimachinery/own";
import { requestsOf } from "../admission/pod-requests.js";
import { type CachedPod, findContainer, isMirrorPod, isStaticPod } from "../pod/cached-pod.js";
import type { ContainerStats } from "../runtime/container-runtime.js";

export interface PodUsage {
  readonly pod: CachedPod;
  readonly containers: readonly ContainerStats[];
}

/** Priorities from here on are the system's own: upstream's SystemCriticalPriority. */
const systemCritical = 2_000_000_000;

/**
 * Pure: the pods that memory pressure may evict, those that go first in front: pods that use more than they request, then
 * those of lower priority, then those furthest above their requests. Static, mirror and critical pods are never evicted.
 */
export function rankForEviction(pods: readonly PodUsage[]): PodUsage[] {
  const excess = ({ pod, containers }: PodUsage): number =>
    containers.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0) - (requestsOf(pod).get("memory") ?? 0);
  const ranked = pods
    .filter(({ pod }) => !isStaticPod(pod) && !isMirrorPod(pod) && priorityOf(pod) < systemCritical)
    .map((usage) => ({ usage, excess: excess(usage), priority: priorityOf(usage.pod) }));
  ranked.sort((a, b) => Number(b.excess > 0) - Number(a.excess > 0) || a.priority - b.priority || b.excess - a.excess);
  return ranked.map(({ usage }) => usage);
}

const priorityOf = ({ spec }: CachedPod): number => spec?.priority ?? 0;

/** The status of an evicted pod. */
export function evictionMessage({ pod, containers }: PodUsage): string {
  const request = (name: string): string => getOwn(findContainer(pod, name)?.resources?.requests, "memory") ?? "0";
  const users = containers.map(
    ({ name, memoryBytes }) =>
      `Container ${name} was using ${Math.ceil(memoryBytes / 1024)}Ki, request is ${request(name)}, has larger consumption of memory. `,
  );
  return `The node was low on resource: memory. ${users.join("")}`;
}
