import type { ServerCertificate } from "../engine/backend.js";
import {
  controllerName,
  type Gateway,
  type GatewayClass,
  type ListenerSet,
  type Route,
} from "../objects/gateway-objects.js";
import { planPolicies } from "./backend-tls-policies.js";
import { type CheckedListener, checkListener } from "./check-listeners.js";
import { fails, holds, type PlannedCondition } from "./conditions.js";
import { isInsecure } from "./frontend-validation.js";
import { findConflicts } from "./listener-conflicts.js";
import { isListenerSetAllowed, listenerSetsOf } from "./listener-sets.js";
import { type PlannedAncestors, planAncestors } from "./plan-ancestors.js";
import { createRoutePlanner, type PlannedParents } from "./plan-parents.js";
import type { PlannedGatewayListener, PlannedParent } from "./planned-gateway.js";
import { isProblem, type Problem, readCertificate } from "./references.js";
import type { World } from "./world.js";

export interface PlannedGateway {
  readonly gateway: Gateway;
  /** All but Programmed, which depends on its ports and addresses. */
  readonly conditions: readonly PlannedCondition[];
  readonly listeners: readonly PlannedGatewayListener[];
  readonly sets: readonly PlannedListenerSet[];
}

export interface PlannedListenerSet {
  readonly set: ListenerSet;
  /** Undefined: it is not let in. */
  readonly listeners: readonly PlannedGatewayListener[] | undefined;
}

export interface GatewayPlan {
  readonly gateways: readonly PlannedGateway[];
  /** Of every route with a parent of ours. */
  readonly routes: ReadonlyMap<Route, readonly PlannedParent[]>;
  readonly policies: readonly PlannedAncestors[];
}

export const isOurClass = ({ spec }: GatewayClass): boolean => spec.controllerName === controllerName;

/** Pure: what Gateways of our classes serve, and what the conditions of Gateways, ListenerSets, routes and policies are. */
export function planGateways(world: World): GatewayPlan {
  const classes = new Set(
    world.classes
      .filter((one) => isOurClass(one) && one.spec.parametersRef === undefined)
      .map(({ metadata }) => metadata.name),
  );
  const ours = world.gateways.filter(({ spec }) => classes.has(spec.gatewayClassName));
  const policies = planPolicies(world);
  const parents = createRoutePlanner(world, policies);
  const gateways = ours.map((gateway) => planGateway(gateway, parents, world));
  return { gateways, routes: parents.routes, policies: planAncestors(policies.planned, parents.gatewaysByService) };
}

function planGateway(gateway: Gateway, parents: PlannedParents, world: World): PlannedGateway {
  const all = listenerSetsOf(gateway, world);
  const sets = all.filter((set) => isListenerSetAllowed(gateway, set, world));
  const conflicts = findConflicts(
    gateway.spec.listeners,
    sets.map(({ spec }) => spec.listeners),
  );
  const certificate = clientCertificateOf(gateway, world);
  const clientCertificate = certificate && !isProblem(certificate) ? certificate : undefined;
  const check = (owner: Gateway | ListenerSet, kind: "Gateway" | "ListenerSet"): CheckedListener[] =>
    owner.spec.listeners.map((listener) =>
      checkListener(listener, {
        gateway,
        owner: { kind, namespace: owner.metadata.namespace ?? "" },
        conflicts,
        world,
      }),
    );
  const serve = (owner: Gateway | ListenerSet, kind: "Gateway" | "ListenerSet"): PlannedGatewayListener[] =>
    parents.attach({ gateway, owner, kind, listeners: check(owner, kind), clientCertificate });
  const listeners = serve(gateway, "Gateway");
  return {
    gateway,
    conditions: gatewayConditions(gateway, listeners, certificate),
    listeners,
    sets: all.map((set) => ({
      set,
      listeners: sets.includes(set) ? serve(set, "ListenerSet") : parents.refuse(set),
    })),
  };
}

function clientCertificateOf({ metadata, spec }: Gateway, world: World): ServerCertificate | Problem | undefined {
  const reference = spec.tls?.backend?.clientCertificateRef;
  const from = { kind: "Gateway", namespace: metadata.namespace ?? "" };
  return reference && readCertificate(from, reference, { world, invalid: "InvalidClientCertificateRef" });
}

function gatewayConditions(
  gateway: Gateway,
  listeners: readonly PlannedGatewayListener[],
  certificate: ServerCertificate | Problem | undefined,
): PlannedCondition[] {
  const insecure = "clients without a valid certificate are let in";
  return [
    gatewayAccepted(gateway, listeners),
    ...(certificate
      ? [
          isProblem(certificate)
            ? fails("ResolvedRefs", certificate.reason, certificate.message)
            : holds("ResolvedRefs"),
        ]
      : []),
    ...(isInsecure(gateway) ? [holds("InsecureFrontendValidationMode", "ConfigurationChanged", insecure)] : []),
  ];
}

/** One listener that can be served is enough (GatewayConditionAccepted). */
function gatewayAccepted({ spec }: Gateway, listeners: readonly PlannedGatewayListener[]): PlannedCondition {
  if (spec.infrastructure?.parametersRef !== undefined)
    return fails("Accepted", "InvalidParameters", "parameters of Gateways are not supported");
  const address = spec.addresses?.find(({ type = "IPAddress" }) => type !== "IPAddress");
  if (address) return fails("Accepted", "UnsupportedAddress", `addresses of type ${address.type} are not supported`);
  const accepted = listeners.filter(({ isAccepted }) => isAccepted).length;
  if (accepted === listeners.length) return holds("Accepted");
  const message = `${listeners.length - accepted} of ${listeners.length} listeners cannot be served: see their conditions`;
  return accepted > 0
    ? holds("Accepted", "ListenersNotValid", message)
    : fails("Accepted", "ListenersNotValid", message);
}
