import type { DeepReadonly } from "@coxswain/api";
import type { Service } from "@coxswain/api/core/v1";
import type { EndpointHints } from "@coxswain/api/discovery/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { getOwn } from "@coxswain/apimachinery/own";
import type { CachedEndpoint } from "../service-endpoints/endpoint-set.js";
import { type HintedSlices, isEndpointReady, type SlicesToHint, withHints } from "./hinted-slices.js";

export type TrafficDistribution = "PreferClose" | "PreferSameZone" | "PreferSameNode";

/** Whether annotations ask for hints that divide endpoints among zones by capacity. The older annotation counts first. */
export function asksForZoneHints(service: DeepReadonly<Service>): boolean {
  const annotations = service.metadata?.annotations;
  const mode =
    getOwn(annotations, "service.kubernetes.io/topology-aware-hints") ??
    getOwn(annotations, "service.kubernetes.io/topology-mode");
  return mode === "Auto" || mode === "auto";
}

/** What the service asks for in `trafficDistribution`; undefined: nothing that is known, or annotations ask for something else. */
export function trafficDistributionOf(
  service: DeepReadonly<Service>,
  { hasPreferSame }: { readonly hasPreferSame: boolean },
): TrafficDistribution | undefined {
  const distribution = service.spec?.trafficDistribution;
  if (asksForZoneHints(service)) return undefined;
  if (distribution === "PreferClose") return distribution;
  return hasPreferSame && (distribution === "PreferSameZone" || distribution === "PreferSameNode")
    ? distribution
    : undefined;
}

/** Pure: every endpoint that is ready has its own zone as hint, and with PreferSameNode its own node too. */
export function addNearbyHints(
  { create, update, unchanged }: SlicesToHint,
  distribution: TrafficDistribution,
): HintedSlices {
  const wanted = ({ zone, nodeName }: CachedEndpoint): EndpointHints | undefined => {
    const forNode = distribution === "PreferSameNode" ? nodeName : undefined;
    if (zone === undefined && forNode === undefined) return undefined;
    return {
      ...(zone !== undefined && { forZones: [{ name: zone }] }),
      ...(forNode !== undefined && { forNodes: [{ name: forNode }] }),
    };
  };
  const hint = (endpoint: CachedEndpoint): EndpointHints | undefined =>
    isEndpointReady(endpoint) ? wanted(endpoint) : (endpoint.hints as EndpointHints | undefined);
  const isWrong = (endpoint: CachedEndpoint): boolean => !equalJson(hint(endpoint), endpoint.hints);
  const outdated = unchanged.filter(({ endpoints }) => endpoints?.some(isWrong));
  return {
    create: create.map((slice) => withHints(slice, hint)),
    update: [...update, ...outdated].map((slice) => withHints(slice, hint)),
  };
}
