import type { ResourceRequirements } from "@coxswain/api/core/v1";
import { amountOf } from "@coxswain/api/pods";
import type { DeepReadonly } from "@coxswain/api/types";
import { getOwn } from "@coxswain/apimachinery/own";
import {
  type CachedContainer,
  type CachedPod,
  containersOf,
  initContainersOf,
  isStaticPod,
} from "../objects/cached-pod.js";
import type { ContainerRecord } from "../runtime/container-runtime.js";

type Resources = DeepReadonly<ResourceRequirements>;

/** What the node has given to each container of a pod, by name. The spec is only what is requested. */
export type Allocation = ReadonlyMap<string, Resources>;

/** What a new pod gets: what it asks for. */
export const allocationOf = (pod: CachedPod): Allocation =>
  new Map(resizable(pod).map(({ name, resources }) => [name, resources ?? {}]));

const resizable = (pod: CachedPod): readonly CachedContainer[] => [...initContainersOf(pod), ...containersOf(pod)];

/** The pod as the node runs it: with the resources that it was given. */
export function withAllocation(pod: CachedPod, allocation: Allocation): CachedPod {
  if (!isResized(pod, allocation)) return pod;
  const given = (container: CachedContainer): CachedContainer => ({
    ...container,
    resources: allocation.get(container.name) ?? container.resources ?? {},
  });
  const { initContainers } = pod.spec ?? {};
  return {
    ...pod,
    spec: {
      ...pod.spec,
      containers: containersOf(pod).map(given),
      ...(initContainers && { initContainers: initContainers.map(given) }),
    },
  };
}

/** Whether a pod asks for other resources than it was given. */
export const isResized = (pod: CachedPod, allocation: Allocation): boolean =>
  resizable(pod).some(({ name, resources }) => changedResources(resources ?? {}, allocation.get(name) ?? {}).size > 0);

/** Whether a resize is out of the question on this node, and why. */
export const refuseResize = (pod: CachedPod): string | undefined =>
  isStaticPod(pod) ? "In-place resize of static-pods is not supported" : undefined;

/** Of CPU and memory, the only resources that can change: those whose requests or limits differ. */
function changedResources(wanted: Resources, actual: Resources): Set<string> {
  const changed = new Set<string>();
  for (const resource of ["cpu", "memory"])
    for (const part of ["requests", "limits"] as const) {
      const [a, b] = [getOwn(wanted[part], resource), getOwn(actual[part], resource)];
      if (a !== b && (a === undefined || b === undefined || amountOf(resource, a) !== amountOf(resource, b)))
        changed.add(resource);
    }
  return changed;
}

/** Whether a running container must be brought in line with what it was given, and whether that takes a restart. */
export function planContainerResize(
  container: CachedContainer,
  record: ContainerRecord,
): "none" | "update" | "restart" {
  if (record.state !== "running") return "none";
  const changed = changedResources(container.resources ?? {}, record.resources);
  if (changed.size === 0) return "none";
  const restarts = (container.resizePolicy ?? []).some(
    ({ resourceName, restartPolicy }) => changed.has(resourceName) && restartPolicy === "RestartContainer",
  );
  return restarts ? "restart" : "update";
}

/** The message of a resize's event: what was asked for, as JSON. */
export function resizeMessage(prefix: string, pod: CachedPod, error?: string): string {
  const summary = (containers: readonly CachedContainer[]): object[] =>
    containers.map(({ name, resources }) => ({ name, resources: resources ?? {} }));
  const inits = summary(initContainersOf(pod));
  const facts = {
    ...(inits.length > 0 && { initContainers: inits }),
    containers: summary(containersOf(pod)),
    generation: pod.metadata?.generation ?? 0,
    ...(error && { error }),
  };
  return `${prefix}: ${JSON.stringify(facts)}`;
}
