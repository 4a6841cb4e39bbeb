import type { ParentReference, Route } from "../objects/gateway-objects.js";
import { intersectHostnames } from "../routing/hostname.js";
import type { CheckedListener } from "./check-listeners.js";
import { fails, holds, type PlannedCondition } from "./conditions.js";
import { isNamespaceAllowed } from "./listener-sets.js";
import type { RouteKindName } from "./planned-route.js";
import type { World } from "./world.js";

export interface Attachment {
  readonly listener: CheckedListener;
  /** The hosts that both have; one that is empty: any. */
  readonly hostnames: readonly string[];
}

export interface AttachedRoute {
  readonly accepted: PlannedCondition;
  /** None: it is not accepted. */
  readonly attachments: readonly Attachment[];
}

export interface ParentListeners {
  /** Of the Gateway or the ListenerSet. */
  readonly namespace: string;
  readonly listeners: readonly CheckedListener[];
  readonly world: World;
}

/** Pure: the listeners that a route's reference attaches it to, or why it is attached to none. */
export function attachRoute(
  { kind, route }: { readonly kind: RouteKindName; readonly route: Route },
  reference: ParentReference,
  parent: ParentListeners,
): AttachedRoute {
  const refuse = (reason: string, message: string): AttachedRoute => ({
    accepted: fails("Accepted", reason, message),
    attachments: [],
  });
  const named = parent.listeners.filter(
    ({ listener }) =>
      (reference.sectionName === undefined || reference.sectionName === listener.name) &&
      (reference.port === undefined || reference.port === listener.port),
  );
  if (named.length === 0) return refuse("NoMatchingParent", "no listener of the parent has this name and port");
  const allowing = named.filter((checked) => isAllowed(kind, route, checked, parent));
  if (allowing.length === 0)
    return refuse("NotAllowedByListeners", "no listener allows routes of this kind and namespace");
  const attachments = allowing
    .map((listener) => ({ listener, hostnames: commonHostnames(listener, route) }))
    .filter(({ hostnames }) => hostnames.length > 0);
  if (attachments.length === 0)
    return refuse("NoMatchingListenerHostname", "no listener is for a host that the route has");
  return { accepted: holds("Accepted"), attachments };
}

const isAllowed = (
  kind: RouteKindName,
  { metadata }: Route,
  { listener, supportedKinds }: CheckedListener,
  { namespace, world }: ParentListeners,
): boolean =>
  supportedKinds.some((one) => one.kind === kind) &&
  isNamespaceAllowed(metadata.namespace ?? "", { ...listener.allowedRoutes?.namespaces, own: namespace, world });

function commonHostnames({ listener }: CheckedListener, { spec }: Route): string[] {
  const wanted = spec.hostnames?.length ? spec.hostnames : [""];
  return wanted.flatMap((hostname) => intersectHostnames(listener.hostname ?? "", hostname) ?? []);
}
