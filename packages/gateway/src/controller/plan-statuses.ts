import type { Condition } from "@coxswain/api/meta/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { formatTime } from "@coxswain/apimachinery/time";
import {
  type BackendTlsPolicy,
  controllerName,
  type Gateway,
  type ListenerSet,
  type ListenerStatus,
  type Route,
} from "../objects/gateway-objects.js";
import { fails, holds, type PlannedCondition } from "../plan/conditions.js";
import type { PlannedAncestors } from "../plan/plan-ancestors.js";
import type { PlannedGateway, PlannedListenerSet } from "../plan/plan-gateways.js";
import type { PlannedGatewayListener, PlannedParent } from "../plan/planned-gateway.js";
import type { PlannedListener } from "../plan/planned-listener.js";
import type { AssignedAddresses } from "./plan-addresses.js";

/** What became of a listener's port: an error in words, or undefined where it is served. */
export type PortOutcome = (listener: PlannedListener) => string | undefined;

/** Pure: the status of a Gateway. */
export function planGatewayStatus(
  { gateway, conditions, listeners, sets }: PlannedGateway,
  { assigned, outcomeOf, now }: { assigned: AssignedAddresses; outcomeOf: PortOutcome; now: number },
): NonNullable<Gateway["status"]> {
  const generation = gateway.metadata.generation ?? 0;
  const statuses = listeners.map((listener) => listenerStatus(listener, outcomeOf));
  const isAccepted = conditions.some(({ type, status }) => type === "Accepted" && status === "True");
  return {
    addresses: assigned.addresses.map((value) => ({ type: "IPAddress", value })),
    conditions: stamp([...conditions, gatewayProgrammed(isAccepted, statuses, assigned)], gateway.status?.conditions, {
      generation,
      now,
    }),
    attachedListenerSets: sets.filter((set) => acceptedListeners(set) > 0).length,
    listeners: stampListeners(statuses, gateway.status?.listeners, { generation, now }),
  };
}

function gatewayProgrammed(
  isAccepted: boolean,
  statuses: readonly UnstampedListener[],
  { unusable }: AssignedAddresses,
): PlannedCondition {
  if (!isAccepted) return fails("Programmed", "Invalid", "the Gateway is not accepted");
  if (unusable.length > 0)
    return fails("Programmed", "AddressNotUsable", `${unusable.join(", ")}: not one of the addresses for Gateways`);
  return statuses.some(({ conditions }) => hasCondition(conditions, "Programmed"))
    ? holds("Programmed")
    : fails("Programmed", "Invalid", "no listener is served: see their conditions");
}

/** One without a certificate that it may use is valid for no one: ListenerSets are accepted by what of them can be served. */
const acceptedListeners = ({ listeners }: PlannedListenerSet): number =>
  listeners?.filter(({ isAccepted, served }) => isAccepted && served !== undefined).length ?? 0;

/** Pure: the status of a ListenerSet. */
export function planListenerSetStatus(
  planned: PlannedListenerSet,
  { outcomeOf, now }: { outcomeOf: PortOutcome; now: number },
): NonNullable<ListenerSet["status"]> {
  const { set, listeners } = planned;
  const generation = set.metadata.generation ?? 0;
  const both = (reason: string, message: string): PlannedCondition[] => [
    fails("Accepted", reason, message),
    fails("Programmed", reason, message),
  ];
  const stampSet = (conditions: readonly PlannedCondition[]): Condition[] =>
    stamp(conditions, set.status?.conditions, { generation, now });
  if (!listeners)
    return { conditions: stampSet(both("NotAllowed", "the Gateway does not allow listeners of this namespace")) };
  const accepted = acceptedListeners(planned);
  const statuses = listeners.map((listener) => listenerStatus(listener, outcomeOf));
  const message = `${listeners.length - accepted} of ${listeners.length} listeners cannot be served: see their conditions`;
  const isPartial = accepted < listeners.length;
  const conditions =
    accepted === 0
      ? both("ListenersNotValid", message)
      : [isPartial ? holds("Accepted", "ListenersNotValid", message) : holds("Accepted"), holds("Programmed")];
  return {
    conditions: stampSet(conditions),
    listeners: stampListeners(statuses, set.status?.listeners, { generation, now }),
  };
}

type UnstampedListener = Omit<ListenerStatus, "conditions"> & { readonly conditions: readonly PlannedCondition[] };

const stampListeners = (
  statuses: readonly UnstampedListener[],
  before: readonly ListenerStatus[] | undefined,
  when: { readonly generation: number; readonly now: number },
): ListenerStatus[] =>
  statuses.map((status) => ({
    ...status,
    conditions: stamp(status.conditions, before?.find(({ name }) => name === status.name)?.conditions, when),
  }));

const hasCondition = (conditions: readonly PlannedCondition[], type: string): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === "True");

function listenerStatus(
  { name, supportedKinds, attachedRoutes, conditions, conflict, served }: PlannedGatewayListener,
  outcomeOf: PortOutcome,
): UnstampedListener {
  const problem = served && outcomeOf(served);
  const found = problem === undefined ? conditions : conditions.map((one) => unavailable(one, problem));
  const isServed = served && problem === undefined;
  const message = problem ?? "the listener cannot be served: see its other conditions";
  const programmed = isServed ? holds("Programmed") : fails("Programmed", conflict?.reason ?? "Invalid", message);
  return { name, supportedKinds, attachedRoutes, conditions: [...found, programmed] };
}

const unavailable = (condition: PlannedCondition, message: string): PlannedCondition =>
  condition.type === "Accepted" ? fails("Accepted", "PortUnavailable", message) : condition;

/** Pure: the parents in a route's status; those of other controllers stay as they are. Undefined: there is nothing to write. */
export function planRouteStatus(
  route: Route,
  parents: readonly PlannedParent[],
  now: number,
): NonNullable<Route["status"]> | undefined {
  const known = route.status?.parents ?? [];
  const others = known.filter((parent) => parent.controllerName !== controllerName);
  if (parents.length === 0 && others.length === known.length) return undefined;
  const generation = route.metadata.generation ?? 0;
  const ours = parents.map(({ parentRef, conditions }) => {
    const before = known.find(
      (parent) => parent.controllerName === controllerName && equalJson(parent.parentRef, parentRef),
    );
    return { parentRef, controllerName, conditions: stamp(conditions, before?.conditions, { generation, now }) };
  });
  return { parents: [...others, ...ours] };
}

/** Pure: the ancestors in a policy's status, as parents in a route's. */
export function planPolicyStatus(
  { policy, ancestors, conditions }: PlannedAncestors,
  now: number,
): NonNullable<BackendTlsPolicy["status"]> | undefined {
  const known = policy.status?.ancestors ?? [];
  const others = known.filter((ancestor) => ancestor.controllerName !== controllerName);
  if (ancestors.length === 0 && others.length === known.length) return undefined;
  const generation = policy.metadata.generation ?? 0;
  const ours = ancestors.map((ancestorRef) => {
    const before = known.find(
      (one) => one.controllerName === controllerName && equalJson(one.ancestorRef, ancestorRef),
    );
    return { ancestorRef, controllerName, conditions: stamp(conditions, before?.conditions, { generation, now }) };
  });
  return { ancestors: [...others, ...ours] };
}

/** Conditions with the generation that they are about; one whose status stays keeps its time. */
export const stamp = (
  conditions: readonly PlannedCondition[],
  before: readonly Condition[] | undefined,
  { generation, now }: { readonly generation: number; readonly now: number },
): Condition[] =>
  conditions.map((condition) => {
    const known = before?.find(({ type, status }) => type === condition.type && status === condition.status);
    return {
      ...condition,
      observedGeneration: generation,
      lastTransitionTime: known?.lastTransitionTime ?? formatTime(now),
    };
  });
