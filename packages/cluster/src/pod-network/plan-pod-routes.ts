import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { networksOverlap } from "@coxswain/machines";

/** Pods of a node are reached through its machine. */
export interface PodRoute {
  readonly network: string;
  readonly via: string;
}

export interface PodRoutesFacts {
  /** The node that the routes are for; undefined: a machine that is no node. */
  readonly nodeName: string | undefined;
  /** Nodes with an address in it are reached directly; others are somebody else's to reach. */
  readonly nodeNetwork: string;
}

/** Pure: a route for each pod network of each other node on the same link, as flannel's host-gw has them. */
export const planPodRoutes = (
  nodes: readonly DeepReadonly<Node>[],
  { nodeName, nodeNetwork }: PodRoutesFacts,
): PodRoute[] =>
  nodes.flatMap(({ metadata, spec, status }) => {
    const via = status?.addresses?.find(({ type }) => type === "InternalIP")?.address ?? "";
    if (metadata?.name === nodeName || !networksOverlap(via, nodeNetwork)) return [];
    return (spec?.podCIDRs ?? []).filter((network) => !network.includes(":")).map((network) => ({ network, via }));
  });

/** Pure: routes that have to be written, and networks whose route has to go. */
export function planRouteChanges(
  there: readonly PodRoute[],
  wanted: readonly PodRoute[],
): { readonly write: readonly PodRoute[]; readonly remove: readonly string[] } {
  const has = (routes: readonly PodRoute[], one: PodRoute): boolean =>
    routes.some(({ network, via }) => network === one.network && via === one.via);
  return {
    write: wanted.filter((route) => !has(there, route)),
    remove: there.flatMap(({ network }) => (wanted.some((route) => route.network === network) ? [] : [network])),
  };
}

/** Of the output of `ip -4 route show`. */
export const parseRoutes = (text: string): PodRoute[] =>
  text.split("\n").flatMap((line) => {
    const [network = "", word, via = ""] = line.split(" ");
    return word === "via" ? [{ network, via }] : [];
  });
