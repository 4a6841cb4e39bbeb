import { compareUtf8 } from "@coxswain/apimachinery/json";
import type { Quantity } from "@coxswain/apimachinery/quantity";
import { parseTimeMs } from "@coxswain/apimachinery/time";
import type { Container, Pod } from "../gen/types/core-v1.js";
import { hasPodLevelResources, podLimits, podRequests, quantities } from "../pods/index.js";
import type { DeepReadonly } from "../types/index.js";
import { type Amounts, addTo, one, printNames, readAmounts } from "./amounts.js";
import { isExtendedResource, isNativeResource } from "./extended-resource.js";
import { podIsInScope } from "./pod-scopes.js";
import type { UsageEvaluator } from "./usage-evaluator.js";

type ReadPod = DeepReadonly<Pod>;

const compute = ["cpu", "memory", "ephemeral-storage"];
const names = new Set([
  "count/pods",
  "pods",
  ...["", "requests.", "limits."].flatMap((prefix) => compute.map((name) => prefix + name)),
]);
/** A quota on one of these requires an amount from every container. No other resource does that. */
const requiredResources = new Set(
  ["", "requests.", "limits."].flatMap((prefix) => ["cpu", "memory"].map((name) => prefix + name)),
);
const deviceClass = "deviceclass.resource.kubernetes.io/";

/** What a node may have beside what Kubernetes knows, as quotas call it. */
export const isExtendedForQuota = (name: string): boolean =>
  name.startsWith("requests.") && (!isNativeResource(name) || name.startsWith(`requests.${deviceClass}`));

const isExtended = (name: string): boolean => name.startsWith(deviceClass) || isExtendedResource(name);

export interface PodEvaluatorOptions {
  /** Milliseconds since the epoch. */
  now(): number;
  readonly gates: { enabled(gate: string): boolean };
}

/** Pods, and the computing that they ask for as long as they live. */
export function createPodEvaluator({ now, gates }: PodEvaluatorOptions): UsageEvaluator {
  const usesPodLevel = (): boolean => gates.enabled("PodLevelResources");
  return {
    counts: (name) =>
      names.has(name) ||
      name.startsWith("hugepages-") ||
      name.startsWith("requests.hugepages-") ||
      isExtendedForQuota(name),
    isInScope: (scope, object) => podIsInScope(scope, object as ReadPod),
    problem(resources, object) {
      const pod = object as ReadPod;
      if (usesPodLevel() && hasPodLevelResources(pod)) return undefined;
      return unsaid(
        [...resources].filter((name) => requiredResources.has(name)),
        [...(pod.spec?.containers ?? []), ...(pod.spec?.initContainers ?? [])],
      );
    },
    usage(object) {
      const pod = object as ReadPod;
      const usage = new Map<string, Quantity>([["count/pods", one]]);
      if (!usesComputing(pod, now())) return usage;
      const options = {
        podLevel: usesPodLevel(),
        fromStatus: true,
        podLevelFromStatus: gates.enabled("InPlacePodLevelResourcesVerticalScaling"),
      };
      return addTo(usage, computeUsage(podRequests(pod, options, quantities), podLimits(pod, options, quantities)));
    },
  };
}

function unsaid(required: readonly string[], containers: readonly DeepReadonly<Container>[]): string | undefined {
  const missing = required.toSorted(compareUtf8).flatMap((name) => {
    const silent = containers.filter(
      ({ resources }) => !computeUsage(readAmounts(resources?.requests), readAmounts(resources?.limits)).has(name),
    );
    return silent.length > 0 ? [`${name} for: ${printNames(new Set(silent.map((container) => container.name)))}`] : [];
  });
  return missing.length > 0 ? `must specify ${missing.join("; ")}` : undefined;
}

function computeUsage(requests: Amounts, limits: Amounts): Map<string, Quantity> {
  const usage = new Map<string, Quantity>([["pods", one]]);
  for (const name of compute) {
    const [request, limit] = [requests.get(name), limits.get(name)];
    if (request) usage.set(name, request).set(`requests.${name}`, request);
    if (limit) usage.set(`limits.${name}`, limit);
  }
  for (const [name, request] of requests) {
    if (name.startsWith("hugepages-")) usage.set(name, request);
    if (name.startsWith("hugepages-") || isExtended(name)) usage.set(`requests.${name}`, request);
  }
  return usage;
}

/** Not when it has ended, nor when it should have gone long ago: a node may be lost. `now` in milliseconds. */
export function usesComputing({ metadata, status }: ReadPod, now: number): boolean {
  if (status?.phase === "Failed" || status?.phase === "Succeeded") return false;
  const { deletionTimestamp, deletionGracePeriodSeconds } = metadata ?? {};
  if (deletionTimestamp === undefined || deletionGracePeriodSeconds === undefined) return true;
  return now <= (parseTimeMs(deletionTimestamp) ?? now) + deletionGracePeriodSeconds * 1000;
}
