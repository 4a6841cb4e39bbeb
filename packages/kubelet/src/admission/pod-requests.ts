import type { ResourceRequirements } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { ownEntries } from "@coxswain/apimachinery/own";
import { quantityMilliValue, quantityValue } from "@coxswain/apimachinery/quantity";
import { type CachedContainer, type CachedPod, containersOf, initContainersOf, isSidecar } from "../pod/cached-pod.js";

/** Amounts by resource: CPU in thousandths, everything else in units. */
export type Amounts = ReadonlyMap<string, number>;

export const amountOf = (resource: string, quantity: string): number =>
  resource === "cpu" ? quantityMilliValue(quantity) : quantityValue(quantity);

/**
 * Pure: what a pod asks for: its regular containers and sidecars together, or what initialization takes at its highest,
 * whichever is more; the pod's own amounts instead where it has some; and its overhead.
 */
export function requestsOf(pod: CachedPod, part: "requests" | "limits" = "requests"): Map<string, number> {
  const sum = new Map<string, number>();
  for (const container of containersOf(pod)) add(sum, of(container, part));
  const sidecars = new Map<string, number>();
  const peak = new Map<string, number>();
  for (const container of initContainersOf(pod)) {
    const own = of(container, part);
    if (isSidecar(container)) add(sidecars, own);
    const now = new Map(sidecars);
    if (!isSidecar(container)) add(now, own);
    raise(peak, now);
  }
  add(sum, sidecars);
  raise(sum, peak);
  for (const [resource, amount] of amounts(pod.spec?.resources, part)) sum.set(resource, amount);
  for (const [resource, quantity] of ownEntries(pod.spec?.overhead))
    sum.set(resource, (sum.get(resource) ?? 0) + amountOf(resource, quantity));
  return sum;
}

const of = (container: CachedContainer, part: "requests" | "limits"): Map<string, number> =>
  amounts(container.resources, part);

const amounts = (
  resources: DeepReadonly<ResourceRequirements> | undefined,
  part: "requests" | "limits",
): Map<string, number> =>
  new Map(ownEntries(resources?.[part]).map(([resource, quantity]) => [resource, amountOf(resource, quantity)]));

function add(sum: Map<string, number>, more: Amounts): void {
  for (const [resource, amount] of more) sum.set(resource, (sum.get(resource) ?? 0) + amount);
}

function raise(highest: Map<string, number>, other: Amounts): void {
  for (const [resource, amount] of other) highest.set(resource, Math.max(highest.get(resource) ?? 0, amount));
}
