import type { RoutedRule } from "../engine/routed-rule.js";
import type { GrpcRoute, GrpcRouteMatch, GrpcRouteRule } from "../objects/gateway-objects.js";
import type { RouteMatch } from "../routing/route-table.js";
import { planEntries, planSession, type RuleToPlan, ruleProblem } from "./plan-http-route.js";
import {
  createResolver,
  type PlannedRoute,
  type ReferenceResolver,
  type RouteFacts,
  summarize,
} from "./planned-route.js";
import { keyOf } from "./world.js";

/** Pure: a GRPCRoute as entries of the same tables. The path of a request is `/service/method`. */
export function planGrpcRoute(route: GrpcRoute, facts: RouteFacts): PlannedRoute {
  const resolver = createResolver("GRPCRoute", route, facts);
  const rules = (route.spec.rules ?? [{}]).map((rule): RuleToPlan => {
    const matches = (rule.matches ?? []).map(planMatch);
    return {
      matches,
      problem: ruleProblem({ matches, filters: rule.filters ?? [] }),
      plan: () => planRule(rule, route, resolver),
    };
  });
  return {
    kind: "GRPCRoute",
    route,
    entries: planEntries(route, rules),
    backends: [],
    resolvedRefs: resolver.resolvedRefs,
    problem: summarize(rules.map(({ problem }) => problem)),
    services: resolver.services,
  };
}

function planMatch({ method, headers }: GrpcRouteMatch): RouteMatch {
  return { ...planMethod(method), ...(headers && { headers }) };
}

/** More characters of the service count before more of the method (GRPCRouteRule.matches): as paths do. */
function planMethod(asked: GrpcRouteMatch["method"]): RouteMatch {
  const { type = "Exact", service = "", method = "" } = asked ?? {};
  if (service === "" && method === "") return {};
  if (type === "RegularExpression")
    return { path: { type: "RegularExpression", value: `/${service || "[^/]+"}/${method || "[^/]+"}` } };
  if (method === "") return { path: { type: "PathPrefix", value: `/${service}` } };
  if (service === "") return { anyServiceMethod: method };
  return { path: { type: "Exact", value: `/${service}/${method}` } };
}

const planRule = (
  { name = "", filters = [], backendRefs = [], sessionPersistence }: GrpcRouteRule,
  route: GrpcRoute,
  resolver: ReferenceResolver,
): RoutedRule => ({
  route: `GRPCRoute ${keyOf(route)}`,
  name,
  protocol: "grpc",
  changes: resolver.changes(filters.filter(({ type }) => type !== "ExtensionRef")),
  backends: backendRefs.map(resolver.routed),
  timeouts: { requestMs: 0, backendRequestMs: 0 },
  retry: undefined,
  session: planSession(sessionPersistence),
});
