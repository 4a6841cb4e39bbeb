import { BlockList, isIP, isIPv6 } from "node:net";
import type { Node } from "@coxswain/api/core/v1";
import type { DeepReadonly } from "@coxswain/api/types";
import { networksOverlap } from "@coxswain/machines";

/** Pods of a node are reached through its machine: directly, or by a tunnel to it. */
export interface PodRoute {
  readonly network: string;
  readonly via: string;
  readonly isTunnelled: boolean;
}

export interface PodRoutesFacts {
  /** Of the routes. By IPv6 machines are reached on a common link alone. */
  readonly family: "IPv4" | "IPv6";
  /** The node that the routes are for; undefined: a machine that is no node. */
  readonly nodeName: string | undefined;
  /** Networks that this machine has a link to: machines with an address in them are reached directly. */
  readonly links: readonly string[];
  /** Whether other machines are reached by a tunnel; if not, they are somebody else's to reach. */
  readonly hasTunnel: boolean;
  /** Machines that are not reached by themselves, but through another one. */
  readonly behind?: { readonly network: string; readonly gateway: string } | undefined;
}

/** Pure: a route for each pod network of each other node: as flannel's host-gw has them on one link, as its vxlan else. */
export function planPodRoutes(nodes: readonly DeepReadonly<Node>[], facts: PodRoutesFacts): PodRoute[] {
  const { family, nodeName, behind } = facts;
  const ofNodes = nodes.flatMap(({ metadata, spec, status }) => {
    const isOfFamily = (text: string): boolean => text.includes(":") === (family === "IPv6");
    const addresses = status?.addresses?.filter(({ type }) => type === "InternalIP") ?? [];
    const address = addresses.find((one) => isIP(one.address) !== 0 && isOfFamily(one.address))?.address;
    const isSimulated = status?.nodeInfo?.containerRuntimeVersion?.startsWith("simulated://");
    if (metadata?.name === nodeName || isSimulated || address === undefined) return [];
    const networks = (spec?.podCIDRs ?? []).filter(isOfFamily);
    return networks.flatMap((network) => routeTo(network, address, facts));
  });
  const others = behind && !isLinked(behind.network, facts) ? routeTo(behind.network, behind.gateway, facts) : [];
  return [...ofNodes, ...others];
}

/** Pure: whether a machine with this address, or network, is reached directly. */
export const isLinked = (address: string, { links }: Pick<PodRoutesFacts, "links">): boolean =>
  links.some((link) => (link.includes(":") ? isIn(link, address) : networksOverlap(address, link)));

/** @param network of IPv6 */
function isIn(network: string, address: string): boolean {
  const [prefix = "", length] = network.split("/");
  const list = new BlockList();
  list.addSubnet(prefix, Number(length), "ipv6");
  return isIPv6(address) && list.check(address, "ipv6");
}

function routeTo(network: string, address: string, facts: PodRoutesFacts): PodRoute[] {
  const { behind } = facts;
  const isBehind = behind !== undefined && networksOverlap(address, behind.network) && !isLinked(address, facts);
  const via = isBehind ? behind.gateway : address;
  if (isLinked(via, facts)) return [{ network, via, isTunnelled: false }];
  return facts.hasTunnel ? [{ network, via, isTunnelled: true }] : [];
}

/** Pure: routes that have to be written, and networks whose route has to go. */
export function planRouteChanges(
  there: readonly PodRoute[],
  wanted: readonly PodRoute[],
): { readonly write: readonly PodRoute[]; readonly remove: readonly string[] } {
  const has = (routes: readonly PodRoute[], one: PodRoute): boolean =>
    routes.some(
      ({ network, via, isTunnelled }) => network === one.network && via === one.via && isTunnelled === one.isTunnelled,
    );
  return {
    write: wanted.filter((route) => !has(there, route)),
    remove: there.flatMap(({ network }) => (wanted.some((route) => route.network === network) ? [] : [network])),
  };
}

/** Of the output of `ip -4 route show`. @param tunnel the name of the tunnel's interface */
export const parseRoutes = (text: string, tunnel: string): PodRoute[] =>
  text.split("\n").flatMap((line) => {
    const words = line.split(" ");
    const [network = "", word, via = ""] = words;
    if (word !== "via") return [];
    return [{ network, via, isTunnelled: words[words.indexOf("dev") + 1] === tunnel }];
  });
