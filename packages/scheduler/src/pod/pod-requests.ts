import { getOwn, ownEntries } from "@coxswain/apimachinery/own";
import type { Container, Pod } from "./objects.js";
import { type Amounts, amountOf, amountsOf } from "./resource.js";

export interface PodRequestsOptions {
  /** Whether spec.resources of the pod counts. */
  readonly podLevel: boolean;
  /** Whether what the kubelet has granted (status) counts beside the spec, for pods that are resized. */
  readonly fromStatus: boolean;
  /** What a container that requests nothing of a resource is taken to request. */
  readonly assumed?: ReadonlyMap<string, number>;
}

type ResourceList = Readonly<Record<string, string>> | undefined;

/** What a pod requests in all: of containers together, or of the largest init container, whichever is more; with its overhead. */
export function podRequests(pod: Pod, options: PodRequestsOptions): Amounts {
  const requests = containerRequests(pod, options);
  if (options.podLevel && hasPodLevelRequests(pod)) {
    const { resources } = pod.spec ?? {};
    const granted = options.fromStatus && pod.status?.resources ? pod.status : undefined;
    const effective =
      granted &&
      effectiveRequests(pod, {
        spec: resources?.requests,
        actuated: granted.resources?.requests,
        allocated: granted.allocatedResources,
      });
    for (const [name, text] of ownEntries(resources?.requests))
      if (isPodLevelResource(name)) requests.set(name, effective ? (effective.get(name) ?? 0) : amountOf(name, text));
  }
  addAmounts(requests, amountsOf(pod.spec?.overhead));
  return requests;
}

/** Whether spec.resources requests something that can be requested for the whole pod. */
export function hasPodLevelRequests(pod: Pod): boolean {
  for (const [name] of ownEntries(pod.spec?.resources?.requests)) if (isPodLevelResource(name)) return true;
  return false;
}

const isPodLevelResource = (name: string): boolean =>
  name === "cpu" || name === "memory" || name.startsWith("hugepages-");

/** A sidecar: an init container that goes on running. */
export const isRestartable = (container: Container): boolean => container.restartPolicy === "Always";

function containerRequests(pod: Pod, options: PodRequestsOptions): Amounts {
  const total: Amounts = new Map();
  for (const container of pod.spec?.containers ?? []) addAmounts(total, requestsOf(pod, container, options));
  const init = pod.spec?.initContainers;
  if (init === undefined || init.length === 0) return total;
  const sidecars: Amounts = new Map();
  const largest: Amounts = new Map();
  for (const container of init) {
    const own = requestsOf(pod, container, options);
    if (isRestartable(container)) {
      addAmounts(total, own);
      addAmounts(sidecars, own);
      maxAmounts(largest, sidecars);
    } else {
      // It runs beside the sidecars that were started before it.
      addAmounts(own, sidecars);
      maxAmounts(largest, own);
    }
  }
  maxAmounts(total, largest);
  return total;
}

/** A fresh map. */
function requestsOf(pod: Pod, container: Container, { fromStatus, assumed }: PodRequestsOptions): Amounts {
  const requests = container.resources?.requests as ResourceList;
  let amounts: Amounts | undefined;
  if (fromStatus && pod.status?.containerStatuses !== undefined) {
    const status =
      pod.status.containerStatuses.find(({ name }) => name === container.name) ??
      pod.status.initContainerStatuses?.find(({ name }) => name === container.name && isRestartable(container));
    if (status?.resources)
      amounts = effectiveRequests(pod, {
        spec: requests,
        actuated: status.resources.requests,
        allocated: status.allocatedResources,
      });
  }
  amounts ??= amountsOf(requests);
  if (assumed)
    for (const [name, amount] of assumed)
      if (getOwn(requests, name) === undefined && !amounts.has(name)) amounts.set(name, amount);
  return amounts;
}

interface ResizedResources {
  readonly spec: ResourceList;
  readonly actuated: ResourceList;
  readonly allocated: ResourceList;
}

/** While a resize is under way the largest of the three counts; one that will never happen does not count at all. */
function effectiveRequests(pod: Pod, { spec, actuated, allocated }: ResizedResources): Amounts {
  const pending = pod.status?.conditions?.find(({ type }) => type === "PodResizePending");
  const effective: Amounts = pending?.reason === "Infeasible" ? new Map() : amountsOf(spec);
  maxAmounts(effective, amountsOf(actuated));
  maxAmounts(effective, amountsOf(allocated));
  return effective;
}

function addAmounts(to: Amounts, from: ReadonlyMap<string, number>): void {
  for (const [name, amount] of from) to.set(name, (to.get(name) ?? 0) + amount);
}

function maxAmounts(to: Amounts, from: ReadonlyMap<string, number>): void {
  for (const [name, amount] of from) if (amount > (to.get(name) ?? Number.NEGATIVE_INFINITY)) to.set(name, amount);
}
