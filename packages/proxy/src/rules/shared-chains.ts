import type { Protocol } from "../frontends/frontend.js";
import type { BackendMap, Chain } from "./element.js";
import { markStatement, type TableSettings, wordsOf } from "./table-settings.js";

/**
 * Chains that many frontends share, one for each *number* of backends: which backend a packet goes to is an element of a map, found by
 * the frontend and a random index. Maps of node ports have no address in the key.
 */
export interface Scope {
  readonly protocol: Protocol;
  readonly isNodePort: boolean;
}

/** "tcp" or "tcp-node-port": what the names of chains and maps begin with. */
const prefixOf = ({ protocol, isNodePort }: Scope): string => (isNodePort ? `${protocol}-node-port` : protocol);

/** What a map of backends is asked for, with an index behind it. */
export const backendMapKey = (ip: string, protocol: string, map: string): string =>
  map.includes("node-port") ? `${protocol} dport` : `${ip} daddr . ${protocol} dport`;

/** A frontend's chain: what it is called, and whatever must be there with it, in an order in which each finds what it goes to. */
export interface SharedChain {
  readonly name: string;
  readonly chains: readonly Chain[];
}

/** To one of `count` backends. */
export function directChain(
  settings: TableSettings,
  scope: Scope,
  count: number,
  list: "" | "local-" = "",
): SharedChain {
  const { ip } = wordsOf(settings.family);
  const { protocol, isNodePort } = scope;
  const map: BackendMap = `${protocol}-${list}${isNodePort ? "node-port-backends" : "backends"}`;
  const name = `${prefixOf(scope)}-${list}to-${count}`;
  const key = backendMapKey(ip, protocol, map);
  return { name, chains: [{ name, rules: [`dnat ${ip} to ${key} . numgen random mod ${count} map @${map}`] }] };
}

/** The same for connections from outside under policy Cluster: the backend may be on another node. */
export function masqueradeChain(settings: TableSettings, scope: Scope, count: number): SharedChain {
  const direct = directChain(settings, scope, count);
  const name = `masquerade-${direct.name}`;
  return { name, chains: [...direct.chains, { name, rules: [markStatement(settings), `goto ${direct.name}`] }] };
}

/**
 * External traffic policy Local: connections of this node and its pods go to any of `inside`, others to one of the backends here.
 * Without one, the packet is left alone here and dropped by the filter.
 */
export function localPolicyChain(
  settings: TableSettings,
  scope: Scope,
  counts: { inside: number; local: number },
): SharedChain {
  const inside = directChain(settings, scope, counts.inside);
  const local = counts.local === 0 ? undefined : directChain(settings, scope, counts.local, "local-");
  const name = `${prefixOf(scope)}-inside-${counts.inside}-local-${counts.local}`;
  return {
    name,
    chains: [
      ...inside.chains,
      ...(local?.chains ?? []),
      { name, rules: localPolicyRules(settings, inside.name, local?.name) },
    ],
  };
}

export function localPolicyRules(settings: TableSettings, inside: string, local: string | undefined): string[] {
  const { fromPods } = settings;
  return [
    ...(fromPods === undefined ? [] : [`${fromPods.is} goto ${inside}`]),
    // The node's own packets have the load balancer's address as their source if that is one of the node's.
    `fib saddr type local ${markStatement(settings)}`,
    `fib saddr type local goto ${inside}`,
    ...(local === undefined ? [] : [`goto ${local}`]),
  ];
}
