import type { DeepReadonly } from "@coxswain/api";
import type { Endpoint } from "@coxswain/api/discovery/v1";
import { equalJson } from "@coxswain/apimachinery/json";

export type CachedEndpoint = DeepReadonly<Endpoint>;

/**
 * What makes an endpoint the same one when its conditions or its node change: addresses, host name and pod. An update can then
 * stay in the endpoint's place.
 */
export const endpointKey = ({ addresses, hostname = "", targetRef }: CachedEndpoint): string =>
  JSON.stringify([[...addresses].sort(), hostname, targetRef?.namespace ?? "", targetRef?.name ?? ""]);

/** Whether endpoints with the same key are equal in all else that a controller sets; hints are decided later. */
export function areEqualEndpoints(a: CachedEndpoint, b: CachedEndpoint): boolean {
  const visible = ({ nodeName, zone, conditions, targetRef }: CachedEndpoint): unknown => {
    const { resourceVersion: _, ...reference } = targetRef ?? {};
    const { ready, serving, terminating } = conditions ?? {};
    return [nodeName ?? null, zone ?? null, ready ?? null, serving ?? null, terminating ?? null, reference];
  };
  return equalJson(visible(a), visible(b));
}

/** Endpoints by their keys, in the order in which they were given. */
export const endpointSet = (endpoints: Iterable<CachedEndpoint>): Map<string, CachedEndpoint> =>
  new Map(Array.from(endpoints, (endpoint) => [endpointKey(endpoint), endpoint]));
