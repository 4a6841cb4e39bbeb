import { type LabelSelector, labelSelectorFromObject } from "@coxswain/apimachinery/selector";
import { type Gateway, gatewayGroup, type ListenerSet, type RouteNamespaces } from "../objects/gateway-objects.js";
import { byAge, keyOf, type World } from "./world.js";

/** Pure: the ListenerSets of a Gateway in the order of their precedence: the older first. */
export const listenerSetsOf = (gateway: Gateway, { listenerSets }: World): ListenerSet[] =>
  listenerSets.filter((set) => parentKeyOf(set) === keyOf(gateway)).toSorted(byAge);

function parentKeyOf({ metadata, spec: { parentRef } }: ListenerSet): string | undefined {
  const { group = gatewayGroup, kind = "Gateway", namespace = metadata.namespace ?? "", name } = parentRef;
  return group === gatewayGroup && kind === "Gateway" ? `${namespace}/${name}` : undefined;
}

/** Whether a Gateway lets a ListenerSet add listeners: by default it lets none. */
export const isListenerSetAllowed = (gateway: Gateway, { metadata }: ListenerSet, world: World): boolean =>
  isNamespaceAllowed(metadata.namespace ?? "", {
    from: "None",
    ...gateway.spec.allowedListeners?.namespaces,
    own: gateway.metadata.namespace ?? "",
    world,
  });

/** Whether objects of a namespace are let in by a `namespaces` member; `own`: the namespace of who lets in. */
export function isNamespaceAllowed(
  namespace: string,
  { from = "Same", selector, own, world }: RouteNamespaces & { readonly own: string; readonly world: World },
): boolean {
  switch (from) {
    case "All":
      return true;
    case "Selector":
      return labelSelectorFromObject(selector as LabelSelector).matches(world.namespace(namespace)?.metadata?.labels);
    case "None":
      return false;
    case "Same":
      return namespace === own;
  }
}
