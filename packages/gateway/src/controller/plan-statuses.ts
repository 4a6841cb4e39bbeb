import type { Condition } from "@coxswain/api/meta/v1";
import { equalJson } from "@coxswain/apimachinery/json";
import { formatTime } from "@coxswain/apimachinery/time";
import { controllerName, type Gateway, type HttpRoute, type ListenerStatus } from "../objects/gateway-objects.js";
import { fails, holds, type PlannedCondition } from "../plan/conditions.js";
import type { PlannedGateway, PlannedGatewayListener, PlannedParent } from "../plan/plan-gateways.js";
import type { PlannedListener } from "../plan/planned-listener.js";

/** What became of a listener's port: an error in words, or undefined where it is served. */
export type PortOutcome = (listener: PlannedListener) => string | undefined;

/** Pure: the status of a Gateway. */
export function planGatewayStatus(
  { gateway, accepted, listeners }: PlannedGateway,
  { address, outcomeOf, now }: { address: string; outcomeOf: PortOutcome; now: number },
): NonNullable<Gateway["status"]> {
  const generation = gateway.metadata.generation ?? 0;
  const statuses = listeners.map((listener) => listenerStatus(listener, outcomeOf));
  const isProgrammed = statuses.some(({ conditions }) => hasCondition(conditions, "Programmed"));
  const programmed = isProgrammed
    ? holds("Programmed")
    : fails("Programmed", "Invalid", "no listener is served: see their conditions");
  return {
    addresses: [{ type: "IPAddress", value: address }],
    conditions: stamp([accepted, programmed], gateway.status?.conditions, { generation, now }),
    listeners: statuses.map((status) => ({
      ...status,
      conditions: stamp(
        status.conditions,
        gateway.status?.listeners?.find(({ name }) => name === status.name)?.conditions,
        { generation, now },
      ),
    })),
  };
}

const hasCondition = (conditions: readonly PlannedCondition[], type: string): boolean =>
  conditions.some((condition) => condition.type === type && condition.status === "True");

function listenerStatus(
  { name, supportedKinds, attachedRoutes, conditions, served }: PlannedGatewayListener,
  outcomeOf: PortOutcome,
): Omit<ListenerStatus, "conditions"> & { readonly conditions: readonly PlannedCondition[] } {
  const problem = served && outcomeOf(served);
  const found = problem === undefined ? conditions : conditions.map((one) => unavailable(one, problem));
  const programmed =
    served && problem === undefined
      ? holds("Programmed")
      : fails("Programmed", "Invalid", problem ?? "the listener cannot be served: see its other conditions");
  return { name, supportedKinds, attachedRoutes, conditions: [...found, programmed] };
}

const unavailable = (condition: PlannedCondition, message: string): PlannedCondition =>
  condition.type === "Accepted" ? fails("Accepted", "PortUnavailable", message) : condition;

/** Pure: the parents in a route's status; those of other controllers stay as they are. Undefined: there is nothing to write. */
export function planRouteStatus(
  route: HttpRoute,
  parents: readonly PlannedParent[],
  now: number,
): NonNullable<HttpRoute["status"]> | undefined {
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
