/** A VXLAN interface (RFC 7348), whose peers are known from Nodes: nothing is learned and nothing is flooded. */
export interface TunnelFacts {
  readonly name: string;
  /** The same on all machines of a cluster (VNI, 24 bits). */
  readonly id: number;
  /** Of this machine, by which others reach it. */
  readonly address: string;
  /** Of the interface that has the address. */
  readonly linkMtu: number;
}

/** Linux' port for VXLAN, which flannel has, too. */
const port = 8472;
/** Outer Ethernet, IPv4, UDP and VXLAN headers (RFC 7348, 5). */
export const tunnelOverhead = 50;

/** A locally administered address that follows from the machine's own: peers need not ask for it. */
export const tunnelMac = (address: string): string =>
  ["0a", "c5", ...address.split(".").map((octet) => Number(octet).toString(16).padStart(2, "0"))].join(":");

const words = (...parts: readonly string[]): string[] => parts.flatMap((part) => part.split(" "));

/** Pure: the commands that make the interface. */
export const planTunnel = ({ name, id, address, linkMtu }: TunnelFacts): string[][] => [
  words(
    `ip link add ${name} address ${tunnelMac(address)} mtu ${linkMtu - tunnelOverhead}`,
    `type vxlan id ${id} dstport ${port} local ${address} nolearning`,
  ),
  ["ip", "link", "set", name, "up"],
];

/**
 * Pure: the command that gives the interface its address, which is the source of packets from this machine to pods elsewhere: that of
 * the network of this node's pods, once the Node has one. @param shown `ip -o -4 address show dev NAME`
 */
export function planTunnelAddress(name: string, shown: string, podNetwork: string | undefined): string[][] {
  if (podNetwork === undefined) return [];
  const address = `${podNetwork.split("/")[0]}/32`;
  return shown.includes(` ${address} `) ? [] : [["ip", "address", "replace", address, "dev", name]];
}

/** Pure: the commands by which exactly these machines are peers. @param there those that are now */
export const planPeers = (name: string, there: readonly string[], wanted: readonly string[]): string[][] => [
  ...there
    .filter((peer) => !wanted.includes(peer))
    .flatMap((peer) => [
      ["ip", "neighbor", "delete", peer, "dev", name],
      ["bridge", "fdb", "delete", tunnelMac(peer), "dev", name, "dst", peer],
    ]),
  ...wanted
    .filter((peer) => !there.includes(peer))
    .flatMap((peer) => [
      // The neighbour last: it is what is looked at to see who is a peer.
      ["bridge", "fdb", "replace", tunnelMac(peer), "dev", name, "dst", peer, "self", "permanent"],
      ["ip", "neighbor", "replace", peer, "lladdr", tunnelMac(peer), "dev", name, "nud", "permanent"],
    ]),
];

/** Of the output of `ip -4 neighbor show dev NAME nud permanent`. */
export const parsePeers = (text: string): string[] =>
  text.split("\n").flatMap((line) => /^(\d+(?:\.\d+){3}) /.exec(line)?.[1] ?? []);

/** The links of a machine with IPv4 addresses, and how large their packets may be. */
export interface Link {
  readonly name: string;
  /** `192.0.2.7/24`. */
  readonly network: string;
  readonly mtu: number;
}

/** Of the output of `ip -json -4 address show`. Loopback, and addresses that are a network of their own, lead nowhere. */
export function parseLinks(text: string): Link[] {
  const found = JSON.parse(text) as readonly {
    readonly ifname?: string;
    readonly mtu?: number;
    readonly addr_info?: readonly { readonly local?: string; readonly prefixlen?: number }[];
  }[];
  return found.flatMap(({ ifname = "", mtu = 1500, addr_info: addresses = [] }) =>
    addresses.flatMap(({ local = "", prefixlen = 32 }) =>
      ifname === "lo" || prefixlen === 32 ? [] : [{ name: ifname, network: `${local}/${prefixlen}`, mtu }],
    ),
  );
}

/** The link by which others reach a machine at this address of its own. */
export const linkWith = (links: readonly Link[], address: string): Link | undefined =>
  links.find(({ network }) => network.startsWith(`${address}/`));
