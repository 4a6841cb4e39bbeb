import type { ServerCertificate, WeightedBackend } from "../engine/backend.js";
import type { RoutedBackend, RoutedRule } from "../engine/routed-rule.js";
import type { BackendObjectReference, BackendReference, HttpRouteFilter, Route } from "../objects/gateway-objects.js";
import type { RouteEntry } from "../routing/route-table.js";
import type { PolicyIndex } from "./backend-tls-policies.js";
import { fails, holds, type PlannedCondition } from "./conditions.js";
import { planChanges, unsupportedFilter } from "./plan-changes.js";
import type { Problem } from "./references.js";
import { type ResolvedBackend, resolveBackend } from "./resolve-backend.js";
import type { World } from "./world.js";

export type RouteKindName = "HTTPRoute" | "GRPCRoute" | "TLSRoute" | "TCPRoute" | "UDPRoute";

/** What a route asks for, whatever it is attached to. */
export interface PlannedRoute {
  readonly kind: RouteKindName;
  readonly route: Route;
  /** Of HTTPRoutes and GRPCRoutes; without hostnames: those are common to the route and a listener. */
  readonly entries: readonly Omit<RouteEntry<RoutedRule>, "hostname">[];
  /** Of the others. */
  readonly backends: readonly WeightedBackend[];
  readonly resolvedRefs: PlannedCondition;
  /** Not undefined: none, or not all, of the rules can be served. */
  readonly problem: { readonly isWhole: boolean; readonly message: string } | undefined;
  /** `namespace/name` of the Services that it leads to. */
  readonly services: readonly string[];
}

export interface RouteFacts {
  readonly world: World;
  readonly policies: PolicyIndex;
  /** Of the Gateway that the route is attached to. */
  readonly clientCertificate: ServerCertificate | undefined;
}

/** Follows the references of one route, and remembers what came of it. */
export interface ReferenceResolver {
  backend(reference: BackendReference): WeightedBackend;
  /** With its filters. */
  routed(reference: BackendReference): RoutedBackend;
  changes(filters: readonly HttpRouteFilter[]): RoutedRule["changes"];
  readonly resolvedRefs: PlannedCondition;
  readonly services: readonly string[];
}

export function createResolver(
  kind: RouteKindName,
  { metadata }: Route,
  { world, policies, clientCertificate }: RouteFacts,
): ReferenceResolver {
  const services = new Set<string>();
  const facts = {
    from: { kind, namespace: metadata.namespace ?? "" },
    world,
    policies,
    clientCertificate,
    onService: (key: string) => void services.add(key),
  };
  let problem: Problem | undefined;
  const resolve = (reference: BackendObjectReference): ResolvedBackend["destination"] => {
    const found = resolveBackend(reference, facts);
    problem ??= found.problem;
    return found.destination;
  };
  const changes = (filters: readonly HttpRouteFilter[]): RoutedRule["changes"] => planChanges(filters, resolve);
  return {
    backend: (reference) => ({ weight: reference.weight ?? 1, destination: resolve(reference) }),
    routed(reference) {
      const { weight = 1, filters = [] } = reference;
      const unsupported = unsupportedFilter(filters);
      if (unsupported === undefined) return { weight, destination: resolve(reference), changes: changes(filters) };
      const message = `filters of type ${unsupported} are not supported`;
      problem ??= { reason: "UnsupportedValue", message };
      return { weight, destination: { kind: "failure", status: 500, message }, changes: changes([]) };
    },
    changes,
    get resolvedRefs() {
      return problem ? fails("ResolvedRefs", problem.reason, problem.message) : holds("ResolvedRefs");
    },
    get services() {
      return [...services];
    },
  };
}

/** What became of a route's rules: the message of the first that cannot be served, and whether none can. */
export function summarize(problems: readonly (string | undefined)[]): PlannedRoute["problem"] {
  const wrong = problems.filter((problem) => problem !== undefined);
  return wrong[0] === undefined ? undefined : { isWhole: wrong.length === problems.length, message: wrong[0] };
}
