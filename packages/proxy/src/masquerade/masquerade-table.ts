import { disjointNetworks } from "../addresses/disjoint-networks.js";
import { families, networksOf } from "../addresses/family.js";

/** In a table of its own: it has nothing to do with services, and most clusters leave it to their network. */
export const masqueradeTable = "inet coxswain-masquerade";

/**
 * Pure: the commands that give connections of pods to the world the node's address, where pods have addresses that the world cannot
 * answer. `podNetworks`: of the whole cluster; connections between them keep their addresses.
 */
export function writeMasquerade(podNetworks: readonly string[]): string {
  const rules = families.flatMap((family) => {
    const networks = disjointNetworks(networksOf(family, podNetworks).map(({ text }) => text));
    if (networks.length === 0) return [];
    const [ip, set, multicast] = [family === "IPv4" ? "ip" : "ip6", `{ ${networks.join(", ")} }`, multicastOf[family]];
    return [`${ip} saddr ${set} ${ip} daddr != ${set} ${ip} daddr != ${multicast} masquerade fully-random`];
  });
  return [
    `add table ${masqueradeTable}`,
    `delete table ${masqueradeTable}`,
    `add table ${masqueradeTable}`,
    // Behind the proxy's own chain at 100: what it has masqueraded is done.
    `add chain ${masqueradeTable} postrouting { type nat hook postrouting priority 110 ; policy accept ; }`,
    ...rules.map((rule) => `add rule ${masqueradeTable} postrouting ${rule}`),
    "",
  ].join("\n");
}

const multicastOf = { IPv4: "224.0.0.0/4", IPv6: "ff00::/8" } as const;
