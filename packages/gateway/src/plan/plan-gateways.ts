import {
  controllerName,
  type Gateway,
  type HttpRoute,
  type ParentReference,
  type RouteKind,
} from "../objects/gateway-objects.js";
import { attachRoute, isParent } from "./attach-routes.js";
import { fails, holds, type PlannedCondition } from "./conditions.js";
import { type PlannedRoute, planHttpRoute } from "./plan-http-route.js";
import { type CheckedListener, checkListeners } from "./plan-listeners.js";
import type { PlannedListener } from "./planned-listener.js";
import { keyOf, type World } from "./world.js";

export interface PlannedGateway {
  readonly gateway: Gateway;
  /** Accepted; whether it is Programmed depends on its ports. */
  readonly accepted: PlannedCondition;
  readonly listeners: readonly PlannedGatewayListener[];
}

export interface PlannedGatewayListener {
  readonly name: string;
  readonly supportedKinds: readonly RouteKind[];
  readonly attachedRoutes: number;
  readonly conditions: readonly PlannedCondition[];
  /** Undefined: it is not served. */
  readonly served: PlannedListener | undefined;
}

/** What a route's status contains about one of its parents. */
export interface PlannedParent {
  readonly parentRef: ParentReference;
  readonly conditions: readonly PlannedCondition[];
}

export interface GatewayPlan {
  readonly gateways: readonly PlannedGateway[];
  /** Of every route with a parent of ours, by `namespace/name`. */
  readonly routes: ReadonlyMap<string, readonly PlannedParent[]>;
}

/** Pure: what Gateways of our classes serve, and what the conditions of Gateways and routes are. */
export function planGateways(world: World): GatewayPlan {
  const classes = new Set(
    world.classes.filter(({ spec }) => spec.controllerName === controllerName).map(({ metadata }) => metadata.name),
  );
  const ours = world.gateways.filter(({ spec }) => classes.has(spec.gatewayClassName));
  const plans = world.httpRoutes.map((route) => ({ route, plan: planHttpRoute(route, world) }));
  const routes = new Map<string, PlannedParent[]>();
  const gateways = ours.map((gateway) => planGateway(gateway, { plans, routes, world }));
  return { gateways, routes };
}

interface RoutePlans {
  readonly plans: readonly { readonly route: HttpRoute; readonly plan: PlannedRoute }[];
  readonly routes: Map<string, PlannedParent[]>;
  readonly world: World;
}

function planGateway(gateway: Gateway, { plans, routes, world }: RoutePlans): PlannedGateway {
  const checked = checkListeners(gateway, world);
  const attached = new Map(checked.map(({ listener }) => [listener.name, emptyListener()]));
  for (const { route, plan } of plans)
    for (const parentRef of route.spec.parentRefs ?? []) {
      if (!isParent(parentRef, route.metadata.namespace ?? "", gateway)) continue;
      const { accepted, attachments = [] } = attachRoute(route, parentRef, { gateway, listeners: checked, world });
      const parents = routes.get(keyOf(route)) ?? [];
      parents.push({ parentRef, conditions: routeConditions(accepted, plan) });
      routes.set(keyOf(route), parents);
      for (const { listener, hostnames } of attachments) {
        const at = attached.get(listener.listener.name)!;
        at.routes.add(keyOf(route));
        for (const hostname of hostnames) for (const entry of plan.entries) at.entries.push({ ...entry, hostname });
      }
    }
  return {
    gateway,
    accepted: gatewayAccepted(checked),
    listeners: checked.map((one) => finishListener(gateway, one, attached.get(one.listener.name)!)),
  };
}

interface AttachedEntries {
  readonly routes: Set<string>;
  readonly entries: PlannedListener["entries"][number][];
}

const emptyListener = (): AttachedEntries => ({ routes: new Set(), entries: [] });

function finishListener(gateway: Gateway, checked: CheckedListener, at: AttachedEntries): PlannedGatewayListener {
  const { listener, supportedKinds, conditions, isValid, certificates } = checked;
  const { name, port, protocol, hostname = "" } = listener;
  const owner = `gateway ${keyOf(gateway)}`;
  return {
    name,
    supportedKinds,
    attachedRoutes: at.routes.size,
    conditions,
    served: isValid
      ? { owner, name, port, protocol: protocol as "HTTP" | "HTTPS", hostname, certificates, entries: at.entries }
      : undefined,
  };
}

/** One listener that can be served is enough (GatewayConditionAccepted). */
function gatewayAccepted(listeners: readonly CheckedListener[]): PlannedCondition {
  const accepted = listeners.filter(({ isAccepted }) => isAccepted).length;
  if (accepted === listeners.length) return holds("Accepted");
  const message = `${listeners.length - accepted} of ${listeners.length} listeners cannot be served: see their conditions`;
  return accepted > 0
    ? holds("Accepted", "ListenersNotValid", message)
    : fails("Accepted", "ListenersNotValid", message);
}

function routeConditions(accepted: PlannedCondition, { problem, resolvedRefs }: PlannedRoute): PlannedCondition[] {
  if (problem?.isWhole && accepted.status === "True")
    return [fails("Accepted", "UnsupportedValue", problem.message), resolvedRefs];
  if (problem && accepted.status === "True")
    return [accepted, resolvedRefs, holds("PartiallyInvalid", "UnsupportedValue", `Dropped Rule: ${problem.message}`)];
  return [accepted, resolvedRefs];
}
