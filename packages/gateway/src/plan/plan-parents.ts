import type { ServerCertificate } from "../engine/backend.js";
import {
  type Gateway,
  gatewayGroup,
  type ListenerSet,
  type ParentReference,
  type Route,
} from "../objects/gateway-objects.js";
import { type AttachedRoute, attachRoute } from "./attach-routes.js";
import type { PolicyIndex } from "./backend-tls-policies.js";
import type { CheckedListener } from "./check-listeners.js";
import { fails, holds, type PlannedCondition } from "./conditions.js";
import { addRoute, finishListener, type ListenerRoutes, noRoutes } from "./finish-listener.js";
import { findMixedRoute } from "./mixed-routes.js";
import { planGrpcRoute } from "./plan-grpc-route.js";
import { planHttpRoute } from "./plan-http-route.js";
import { planStreamRoute } from "./plan-stream-route.js";
import type { PlannedGatewayListener, PlannedParent } from "./planned-gateway.js";
import type { PlannedRoute, RouteFacts, RouteKindName } from "./planned-route.js";
import { byAge, keyOf, type World } from "./world.js";

export interface PlannedParents {
  /** Attaches routes to the listeners of a Gateway or of one of its ListenerSets. */
  attach(parent: {
    readonly gateway: Gateway;
    readonly owner: Gateway | ListenerSet;
    readonly kind: "Gateway" | "ListenerSet";
    readonly listeners: readonly CheckedListener[];
    readonly clientCertificate: ServerCertificate | undefined;
  }): PlannedGatewayListener[];
  /** Routes of a ListenerSet that is not let in are attached to nothing. */
  refuse(set: ListenerSet): undefined;
  /** What their statuses contain. */
  readonly routes: ReadonlyMap<Route, readonly PlannedParent[]>;
  readonly gatewaysByService: ReadonlyMap<string, ReadonlySet<Gateway>>;
}

interface Reference {
  readonly kind: RouteKindName;
  readonly route: Route;
  readonly parentRef: ParentReference;
}

/** Pure but for what it collects: the older routes first, each planned once, and found by the parents that they name. */
export function createRoutePlanner(world: World, policies: PolicyIndex): PlannedParents {
  const references = indexReferences(world);
  const routes = new Map<Route, PlannedParent[]>();
  const gatewaysByService = new Map<string, Set<Gateway>>();
  const plans = new Map<Route, PlannedRoute>();

  function planOf({ kind, route }: Reference, clientCertificate: ServerCertificate | undefined): PlannedRoute {
    const known = clientCertificate ? undefined : plans.get(route);
    if (known) return known;
    const plan = planRoute(kind, route, { world, policies, clientCertificate });
    if (!clientCertificate) plans.set(route, plan);
    return plan;
  }

  function report({ route, parentRef }: Reference, conditions: readonly PlannedCondition[]): void {
    const parents = routes.get(route) ?? [];
    parents.push({ parentRef, conditions });
    routes.set(route, parents);
  }

  return {
    attach({ gateway, owner, kind, listeners, clientCertificate }) {
      const parent = { namespace: owner.metadata.namespace ?? "", listeners, world };
      const attached = new Map(listeners.map(({ listener }) => [listener.name, noRoutes()]));
      for (const reference of references.get(`${kind} ${keyOf(owner)}`) ?? []) {
        const plan = planOf(reference, clientCertificate);
        const found = withoutMixing(attachRoute(reference, reference.parentRef, parent), plan, attached);
        report(reference, routeConditions(found.accepted, plan));
        for (const { listener, hostnames } of found.attachments)
          addRoute(attached.get(listener.listener.name)!, plan, hostnames);
        if (found.attachments.length > 0)
          for (const service of plan.services)
            gatewaysByService.set(service, (gatewaysByService.get(service) ?? new Set()).add(gateway));
      }
      return listeners.map((one) =>
        finishListener(one, attached.get(one.listener.name) ?? noRoutes(), {
          owner: `gateway ${keyOf(gateway)}`,
          name: kind === "Gateway" ? one.listener.name : `${keyOf(owner)}/${one.listener.name}`,
        }),
      );
    },
    refuse(set) {
      for (const reference of references.get(`ListenerSet ${keyOf(set)}`) ?? []) {
        const accepted = fails("Accepted", "NoMatchingParent", "the Gateway does not let this ListenerSet in");
        report(reference, routeConditions(accepted, planOf(reference, undefined)));
      }
    },
    routes,
    gatewaysByService,
  };
}

/** References of routes by the parent that they name, older routes first. */
function indexReferences(world: World): ReadonlyMap<string, readonly Reference[]> {
  const index = new Map<string, Reference[]>();
  const add = (kind: RouteKindName, routes: readonly Route[]): Reference[] =>
    routes.flatMap((route) => (route.spec.parentRefs ?? []).map((parentRef) => ({ kind, route, parentRef })));
  const all = [
    ...add("HTTPRoute", world.httpRoutes),
    ...add("GRPCRoute", world.grpcRoutes),
    ...add("TLSRoute", world.tlsRoutes),
    ...add("TCPRoute", world.tcpRoutes),
    ...add("UDPRoute", world.udpRoutes),
  ].sort((a, b) => byAge(a.route, b.route));
  for (const reference of all) {
    const { group = gatewayGroup, kind = "Gateway", namespace, name } = reference.parentRef;
    if (group !== gatewayGroup) continue;
    const key = `${kind} ${namespace ?? reference.route.metadata.namespace ?? ""}/${name}`;
    const there = index.get(key);
    if (there) there.push(reference);
    else index.set(key, [reference]);
  }
  return index;
}

function planRoute(kind: RouteKindName, route: Route, facts: RouteFacts): PlannedRoute {
  switch (kind) {
    case "HTTPRoute":
      return planHttpRoute(route, facts);
    case "GRPCRoute":
      return planGrpcRoute(route, facts);
    case "TLSRoute":
    case "TCPRoute":
    case "UDPRoute":
      return planStreamRoute(kind, route, facts);
  }
}

/** HTTPRoutes and GRPCRoutes do not share a host of a listener: the older one has it (GRPCRouteSpec.hostnames). */
function withoutMixing(
  found: AttachedRoute,
  { kind }: PlannedRoute,
  attached: ReadonlyMap<string, ListenerRoutes>,
): AttachedRoute {
  const other = findMixedRoute(kind, found.attachments, attached);
  if (other === undefined) return found;
  return {
    accepted: fails("Accepted", "NotAllowedByListeners", `${other} has one of the hosts already`),
    attachments: [],
  };
}

function routeConditions(accepted: PlannedCondition, { problem, resolvedRefs }: PlannedRoute): PlannedCondition[] {
  if (problem?.isWhole && accepted.status === "True")
    return [fails("Accepted", "UnsupportedValue", problem.message), resolvedRefs];
  if (problem && accepted.status === "True")
    return [accepted, resolvedRefs, holds("PartiallyInvalid", "UnsupportedValue", `Dropped Rule: ${problem.message}`)];
  return [accepted, resolvedRefs];
}
