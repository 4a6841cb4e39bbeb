import { type Chain, type Container, containers, sets } from "./element.js";
import { backendMapKey } from "./shared-chains.js";
import { markOf, markStatement, type TableSettings, wordsOf } from "./table-settings.js";

/** Chains at netfilter's hooks, by name, with type, hook and priority. Those before DNAT see the address that the client asked for. */
const baseChains: readonly (readonly [name: string, hook: string])[] = [
  ["filter-prerouting-pre-dnat", "type filter hook prerouting priority -110"],
  ["filter-output-pre-dnat", "type filter hook output priority -110"],
  ["filter-input", "type filter hook input priority 0"],
  ["filter-forward", "type filter hook forward priority 0"],
  ["filter-output", "type filter hook output priority 0"],
  ["nat-prerouting", "type nat hook prerouting priority -100"],
  ["nat-output", "type nat hook output priority -100"],
  ["nat-postrouting", "type nat hook postrouting priority 100"],
];

export const rejectChain = "reject-chain";

/**
 * How each container is declared. The index of a backend is a number of no nft type: `typeof` gives it one. Each protocol has maps of
 * its own: nft 1.0.6 refuses `th dport` in the data of a map that it reads back, and takes `tcp dport` for a condition.
 */
function typeOf(container: Container, { family }: TableSettings): string {
  const { ip, addressType } = wordsOf(family);
  const frontend = `${addressType} . inet_proto . inet_service`;
  if (container === "cluster-ips") return `type ${addressType}`;
  if (container === "hairpin") return `type ${addressType} . ${frontend}`;
  if (container.endsWith("node-ports")) return "type inet_proto . inet_service : verdict";
  if (!container.endsWith("backends")) return `type ${frontend} : verdict`;
  const [protocol = ""] = container.split("-");
  return `typeof ${backendMapKey(ip, protocol, container)} . numgen random mod 2 : ${ip} daddr . ${protocol} dport`;
}

/** The chains that every table has, as kube-proxy's nftables mode has them (pkg/proxy/nftables/proxier.go, `setupNFTables`). */
export function fixedChains(settings: TableSettings): Chain[] {
  const isNew = "ct state new";
  return [
    { name: "filter-prerouting-pre-dnat", rules: [`${isNew} jump firewall-check`] },
    { name: "filter-output-pre-dnat", rules: [`${isNew} jump firewall-check`] },
    // reject is not allowed at prerouting by older kernels, and the packet's way is known only here.
    { name: "filter-input", rules: [`${isNew} jump node-port-endpoints-check`, `${isNew} jump endpoints-check`] },
    { name: "filter-forward", rules: [`${isNew} jump endpoints-check`, `${isNew} jump cluster-ips-check`] },
    { name: "filter-output", rules: [`${isNew} jump endpoints-check`, `${isNew} jump cluster-ips-check`] },
    { name: "nat-prerouting", rules: ["jump services"] },
    { name: "nat-output", rules: ["jump services"] },
    { name: "nat-postrouting", rules: ["jump masquerading"] },
    { name: rejectChain, rules: ["reject"] },
    ...checkChains(settings),
    { name: "services", rules: serviceRules(settings) },
    { name: "masquerading", rules: masqueradingRules(settings) },
  ];
}

function checkChains(settings: TableSettings): Chain[] {
  const { ip } = wordsOf(settings.family);
  const toFrontend = `${ip} daddr . meta l4proto . th dport`;
  const networks = settings.serviceNetworks;
  return [
    { name: "firewall-check", rules: [`${toFrontend} vmap @firewall`] },
    { name: "endpoints-check", rules: [`${toFrontend} vmap @no-endpoints`] },
    {
      name: "node-port-endpoints-check",
      rules: [`${toNodePorts(settings)} meta l4proto . th dport vmap @no-endpoint-node-ports`],
    },
    {
      name: "cluster-ips-check",
      rules: [
        // A port that the service does not have.
        `${ip} daddr @cluster-ips reject`,
        // An address that no service has.
        ...(networks.length === 0 ? [] : [`${ip} daddr { ${networks.join(", ")} } drop`]),
      ],
    },
  ];
}

function serviceRules(settings: TableSettings): string[] {
  const { ip } = wordsOf(settings.family);
  const { masqueradeAll, fromPods } = settings;
  const mark = markStatement(settings);
  return [
    ...(masqueradeAll
      ? [`${ip} daddr @cluster-ips ${mark}`]
      : fromPods === undefined
        ? []
        : // Connections from outside the cluster to a cluster IP that is routed here: the answer must come back this way.
          [`${ip} daddr @cluster-ips ${fromPods.isNot} ${mark}`]),
    `${ip} daddr . meta l4proto . th dport vmap @frontends`,
    `${settings.nodePortAddresses === undefined ? "fib daddr type local " : ""}${toNodePorts(settings)} meta l4proto . th dport vmap @node-ports`,
  ];
}

/** Node ports do not answer on loopback addresses: such packets cannot leave the machine. */
function toNodePorts({ family, nodePortAddresses }: TableSettings): string {
  const { ip, loopback } = wordsOf(family);
  return nodePortAddresses === undefined ? `${ip} daddr != ${loopback}` : `${ip} daddr @node-port-ips`;
}

function masqueradingRules({ family, masqueradeBit }: TableSettings): string[] {
  const { ip } = wordsOf(family);
  const mark = markOf(masqueradeBit);
  return [
    `meta mark and ${mark} != 0 meta mark set meta mark xor ${mark} masquerade fully-random`,
    // A pod that reaches itself through a service would answer itself directly.
    `ct status dnat ${ip} saddr . ${ip} daddr . meta l4proto . th dport @hairpin masquerade fully-random`,
  ];
}

/** The commands that make the table, its containers and its base chains, where they are not there yet. */
export function declareTable(settings: TableSettings): string[] {
  const { table, addressType } = wordsOf(settings.family);
  return [
    `add table ${table}`,
    ...baseChains.map(([name, hook]) => `add chain ${table} ${name} { ${hook} ; policy accept ; }`),
    ...containers.map(
      (name) => `add ${sets.has(name) ? "set" : "map"} ${table} ${name} { ${typeOf(name, settings)} ; }`,
    ),
    `add set ${table} node-port-ips { type ${addressType} ; }`,
    ...(settings.nodePortAddresses === undefined || settings.nodePortAddresses.length === 0
      ? []
      : [`add element ${table} node-port-ips { ${settings.nodePortAddresses.join(", ")} }`]),
  ];
}
