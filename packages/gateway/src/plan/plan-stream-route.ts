import type { StreamRoute } from "../objects/gateway-objects.js";
import { createResolver, type PlannedRoute, type RouteFacts, type RouteKindName } from "./planned-route.js";

/** Pure: where connections of a TLSRoute or TCPRoute, or flows of a UDPRoute, go. */
export function planStreamRoute(kind: RouteKindName, route: StreamRoute, facts: RouteFacts): PlannedRoute {
  const resolver = createResolver(kind, route, facts);
  const backends = (route.spec.rules ?? []).flatMap(({ backendRefs = [] }) => backendRefs.map(resolver.backend));
  return {
    kind,
    route,
    entries: [],
    backends,
    resolvedRefs: resolver.resolvedRefs,
    problem: undefined,
    services: resolver.services,
  };
}
