import { type LabelSelector, labelSelectorFromObject } from "@coxswain/apimachinery/selector";
import { type Gateway, gatewayGroup, type HttpRoute, type ParentReference } from "../objects/gateway-objects.js";
import { intersectHostnames } from "../routing/hostname.js";
import { fails, holds, type PlannedCondition } from "./conditions.js";
import type { CheckedListener } from "./plan-listeners.js";
import type { World } from "./world.js";

/** Whether a reference of a route is to this Gateway. */
export const isParent = (reference: ParentReference, routeNamespace: string, { metadata }: Gateway): boolean =>
  (reference.group ?? gatewayGroup) === gatewayGroup &&
  (reference.kind ?? "Gateway") === "Gateway" &&
  reference.name === metadata.name &&
  (reference.namespace ?? routeNamespace) === metadata.namespace;

export interface Attachment {
  readonly listener: CheckedListener;
  /** The hosts that both have; one that is empty: any. */
  readonly hostnames: readonly string[];
}

export type AttachedRoute =
  | { readonly accepted: PlannedCondition; readonly attachments: readonly Attachment[] }
  | { readonly accepted: PlannedCondition; readonly attachments?: undefined };

/** Pure: the listeners of a Gateway that a route's reference attaches it to, or why it is attached to none. */
export function attachRoute(
  route: HttpRoute,
  reference: ParentReference,
  { gateway, listeners, world }: { gateway: Gateway; listeners: readonly CheckedListener[]; world: World },
): AttachedRoute {
  const refuse = (reason: string, message: string): AttachedRoute => ({ accepted: fails("Accepted", reason, message) });
  const named = listeners.filter(
    ({ listener }) =>
      (reference.sectionName === undefined || reference.sectionName === listener.name) &&
      (reference.port === undefined || reference.port === listener.port),
  );
  if (named.length === 0) return refuse("NoMatchingParent", "no listener of the Gateway has this name and port");
  const allowing = named.filter((checked) => isAllowed(route, checked, gateway, world));
  if (allowing.length === 0)
    return refuse("NotAllowedByListeners", "no listener allows routes of this kind and namespace");
  const attachments = allowing
    .map((listener) => ({ listener, hostnames: commonHostnames(listener, route) }))
    .filter(({ hostnames }) => hostnames.length > 0);
  if (attachments.length === 0)
    return refuse("NoMatchingListenerHostname", "no listener is for a host that the route has");
  return { accepted: holds("Accepted"), attachments };
}

function isAllowed(
  route: HttpRoute,
  { listener, supportedKinds }: CheckedListener,
  gateway: Gateway,
  world: World,
): boolean {
  if (!supportedKinds.some(({ kind }) => kind === "HTTPRoute")) return false;
  const { from = "Same", selector } = listener.allowedRoutes?.namespaces ?? {};
  const namespace = route.metadata.namespace ?? "";
  switch (from) {
    case "All":
      return true;
    case "Same":
      return namespace === gateway.metadata.namespace;
    case "Selector":
      return labelSelectorFromObject(selector as LabelSelector).matches(world.namespace(namespace)?.metadata?.labels);
    case "None":
      return false;
  }
}

function commonHostnames({ listener }: CheckedListener, { spec }: HttpRoute): string[] {
  const wanted = spec.hostnames?.length ? spec.hostnames : [""];
  return wanted.flatMap((hostname) => intersectHostnames(listener.hostname ?? "", hostname) ?? []);
}
