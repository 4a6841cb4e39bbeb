import type { Quantity } from "@coxswain/apimachinery/quantity";
import type { Container, ContainerStatus, Pod } from "../gen/types/core-v1.js";
import type { DeepReadonly } from "../types/index.js";
import { addTo, type Amounts, raiseTo, readAmounts } from "./amounts.js";

type ReadPod = DeepReadonly<Pod>;
type Sums = Map<string, Quantity>;

/** Resources that may be set for a pod as a whole. */
const podLevel = (resource: string): boolean =>
  resource === "cpu" || resource === "memory" || resource.startsWith("hugepages-");

export const hasPodLevelResources = ({ spec }: ReadPod): boolean =>
  [...Object.keys(spec?.resources?.requests ?? {}), ...Object.keys(spec?.resources?.limits ?? {})].some(podLevel);

export interface PodTotals {
  readonly requests: Amounts;
  readonly limits: Amounts;
}

export interface PodTotalsOptions {
  /** Whether the resources of the pod as a whole count. */
  readonly podLevelResources: boolean;
  /** Whether what containers still have counts beside what they ask for. */
  readonly status: boolean;
}

/** What a pod uses: what it asks for or, while it is resized, what it still has, if that is more; and what its runtime needs. */
export function podTotals(pod: ReadPod, { podLevelResources, status }: PodTotalsOptions): PodTotals {
  const requests = ofContainers(pod, "requests", status);
  const limits = ofContainers(pod, "limits", status);
  if (podLevelResources) {
    for (const [name, quantity] of readAmounts(pod.spec?.resources?.requests))
      if (podLevel(name)) requests.set(name, quantity);
    for (const [name, quantity] of readAmounts(pod.spec?.resources?.limits))
      if (podLevel(name)) limits.set(name, quantity);
  }
  const overhead = readAmounts(pod.spec?.overhead);
  addTo(requests, overhead);
  for (const [name, quantity] of overhead) {
    const limit = limits.get(name);
    if (limit && !limit.isZero) limits.set(name, limit.add(quantity));
  }
  return { requests, limits };
}

function ofContainers(pod: ReadPod, member: "requests" | "limits", withStatus: boolean): Sums {
  const statuses = new Map(
    !withStatus
      ? []
      : [...(pod.status?.containerStatuses ?? []), ...(pod.status?.initContainerStatuses ?? [])].map((status) => [
          status.name,
          status,
        ]),
  );
  const used = (container: DeepReadonly<Container>): Sums =>
    inForce(pod, container, statuses.get(container.name), member);
  const sum: Sums = new Map();
  for (const container of pod.spec?.containers ?? []) addTo(sum, used(container));
  const sidecars: Sums = new Map();
  const starting: Sums = new Map();
  for (const container of pod.spec?.initContainers ?? []) {
    if (container.restartPolicy === "Always") {
      const own = used(container);
      addTo(sum, own);
      raiseTo(starting, addTo(sidecars, own));
    } else {
      raiseTo(starting, addTo(readAmounts(container.resources?.[member]), sidecars));
    }
  }
  return raiseTo(sum, starting);
}

/** A resize that cannot be done is not counted; one under way counts with the most of what was and what shall be. */
function inForce(
  pod: ReadPod,
  { resources }: DeepReadonly<Container>,
  status: DeepReadonly<ContainerStatus> | undefined,
  member: "requests" | "limits",
): Sums {
  const wished = readAmounts(resources?.[member]);
  if (!status?.resources) return wished;
  const infeasible = (pod.status?.conditions ?? []).some(
    ({ type, reason }) => type === "PodResizePending" && reason === "Infeasible",
  );
  const amounts = raiseTo(infeasible ? new Map<string, Quantity>() : wished, readAmounts(status.resources[member]));
  return member === "requests" ? raiseTo(amounts, readAmounts(status.allocatedResources)) : amounts;
}
