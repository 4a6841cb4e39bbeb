import type { RoutedRule } from "../engine/routed-rule.js";
import type { RouteEntry } from "../routing/route-table.js";
import type { CheckedListener } from "./check-listeners.js";
import type { PlannedGatewayListener } from "./planned-gateway.js";
import type { ListenerService } from "./planned-listener.js";
import type { PlannedRoute } from "./planned-route.js";
import { keyOf } from "./world.js";

/** What is attached to a listener, older routes first. */
export interface ListenerRoutes {
  readonly attached: { readonly plan: PlannedRoute; readonly hostnames: readonly string[] }[];
  /** Which kind of route has a host, HTTPRoutes or GRPCRoutes, by the first that has it. */
  readonly byHost: Map<string, PlannedRoute>;
}

export const noRoutes = (): ListenerRoutes => ({ attached: [], byHost: new Map() });

export function addRoute(routes: ListenerRoutes, plan: PlannedRoute, hostnames: readonly string[]): void {
  routes.attached.push({ plan, hostnames });
  for (const hostname of hostnames) if (!routes.byHost.has(hostname)) routes.byHost.set(hostname, plan);
}

/** Pure: a listener with its routes, and what its status contains. */
export function finishListener(
  checked: CheckedListener,
  routes: ListenerRoutes,
  { owner, name }: { readonly owner: string; readonly name: string },
): PlannedGatewayListener {
  const { listener, supportedKinds, conditions, conflict, isAccepted, isValid } = checked;
  const { port, hostname = "" } = listener;
  return {
    name: listener.name,
    supportedKinds,
    attachedRoutes: new Set(routes.attached.map(({ plan }) => plan.route)).size,
    conditions,
    conflict,
    isAccepted,
    served: isValid ? { owner, name, port, hostname, service: serviceOf(checked, routes) } : undefined,
  };
}

function serviceOf(
  { listener, certificates, clientValidation }: CheckedListener,
  routes: ListenerRoutes,
): ListenerService {
  switch (listener.protocol) {
    case "HTTPS":
      return { kind: "https", certificates, clientValidation, entries: entriesOf(routes) };
    case "TLS":
      return listener.tls?.mode === "Passthrough"
        ? { kind: "passthrough", routes: serverNameRoutes(routes) }
        : { kind: "terminate", certificates, clientValidation, routes: serverNameRoutes(routes) };
    case "TCP":
    case "UDP": {
      // Of several the oldest one is bound.
      const [first] = routes.attached;
      const kind = listener.protocol === "TCP" ? "tcp" : "udp";
      return { kind, backends: first?.plan.backends ?? [], route: first ? nameOf(first.plan) : "none" };
    }
    default:
      return { kind: "http", entries: entriesOf(routes) };
  }
}

const entriesOf = ({ attached }: ListenerRoutes): RouteEntry<RoutedRule>[] =>
  attached.flatMap(({ plan, hostnames }) =>
    hostnames.flatMap((hostname) => plan.entries.map((entry) => ({ ...entry, hostname }))),
  );

const serverNameRoutes = ({ attached }: ListenerRoutes) =>
  attached.flatMap(({ plan, hostnames }) =>
    hostnames.map((hostname) => ({ hostname, backends: plan.backends, route: nameOf(plan) })),
  );

const nameOf = ({ kind, route }: PlannedRoute): string => `${kind} ${keyOf(route)}`;
