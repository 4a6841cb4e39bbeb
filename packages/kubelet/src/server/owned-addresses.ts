import { BlockList, isIP } from "node:net";
import type { NodeSpec } from "../node/node-spec.js";
import { addressOf, simulatedCidrs } from "../simulated/node-addresses.js";

/** Names and addresses of nodes, and ranges of their pods. What was ours stays ours: objects may name it after a node is gone. */
export interface OwnedAddresses {
  has(hostname: string): boolean;
  /** The name of the node that has an address. */
  nodeAt(address: string): string | undefined;
  addNode(name: string, addresses: readonly string[]): void;
  /** Whether it is a new one. */
  addRange(cidr: string): boolean;
}

/** Those that simulated nodes have by their specs, for an API server whose nodes are another process. */
export function simulatedAddresses(specs: readonly NodeSpec[]): OwnedAddresses {
  const owned = createOwnedAddresses();
  for (const [index, spec] of specs.entries()) owned.addNode(spec.name, [addressOf(spec, index)]);
  // One check instead of thousands: the ranges of nodes are in these, unless their specs have others.
  for (const cidr of [...Object.values(simulatedCidrs), ...specs.flatMap(({ podCIDR }) => podCIDR ?? [])])
    owned.addRange(cidr);
  return owned;
}

export function createOwnedAddresses(): OwnedAddresses {
  /** Names of nodes by themselves and by their addresses. */
  const hosts = new Map<string, string>();
  const cidrs = new Set<string>();
  const ranges = new BlockList();
  return {
    has(hostname) {
      const family = isIP(hostname);
      return hosts.has(hostname) || (family !== 0 && ranges.check(hostname, family === 4 ? "ipv4" : "ipv6"));
    },
    nodeAt: (address) => hosts.get(address),
    addNode(name, addresses) {
      for (const host of [name, ...addresses]) hosts.set(host, name);
    },
    addRange(cidr) {
      const [network = "", prefix] = cidr.split("/");
      const family = isIP(network);
      if (family === 0 || cidrs.has(cidr)) return false;
      cidrs.add(cidr);
      ranges.addSubnet(network, Number(prefix), family === 4 ? "ipv4" : "ipv6");
      return true;
    },
  };
}
