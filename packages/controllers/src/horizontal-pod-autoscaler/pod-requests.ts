import { quantities, specOnly, podRequests as totalRequests } from "@coxswain/api/pods";
import { getOwn, ownKeys } from "@coxswain/apimachinery/own";
import { quantityMilliValue } from "@coxswain/apimachinery/quantity";
import type { CachedPod } from "../pods/pod-state.js";

export interface RequestsOptions {
  readonly resource: string;
  /** Only this one's requests count. */
  readonly container?: string | undefined;
  /** Whether requests of the pod as a whole count. */
  readonly hasPodLevel: boolean;
}

/**
 * Pure: what each pod asks for, by name, in thousandths.
 * @throws Error where a container has no request
 */
export function podRequests(pods: readonly CachedPod[], options: RequestsOptions): Map<string, number> {
  return new Map(pods.map((pod) => [pod.metadata?.name ?? "", requestOf(pod, options)]));
}

function requestOf(pod: CachedPod, { resource, container, hasPodLevel }: RequestsOptions): number {
  const { containers = [], initContainers = [], resources } = pod.spec ?? {};
  const name = pod.metadata?.name;
  if (hasPodLevel && container === undefined && ownKeys(resources?.requests).length > 0) {
    const request = totalRequests(pod, specOnly, quantities).get(resource);
    if (!request) throw new Error(`missing pod-level request for ${resource} in Pod ${name}`);
    return Number(request.milliValue());
  }
  const running = [...containers, ...initContainers.filter(({ restartPolicy }) => restartPolicy === "Always")];
  const asked = container === undefined ? running : running.filter((each) => each.name === container);
  if (container !== undefined && asked.length === 0) throw new Error(`container ${container} not found in Pod ${name}`);
  let sum = 0;
  for (const each of asked) {
    const request = getOwn(each.resources?.requests, resource);
    if (request === undefined)
      throw new Error(`missing request for ${resource} in container ${each.name} of Pod ${name}`);
    sum += quantityMilliValue(request);
  }
  return sum;
}
