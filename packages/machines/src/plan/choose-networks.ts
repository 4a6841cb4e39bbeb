/** The networks of a cluster's machines and of their pods, as IPv4 networks: `10.223.0.0/24`. */
export interface MachineNetworks {
  readonly nodes: string;
  readonly pods: string;
}

/**
 * Tried in this order: the first that overlaps nothing on this machine is taken. Neither overlaps the networks of simulated nodes
 * (172.18.0.0/16, 10.244.0.0/14), which share a cluster with real ones, nor those of Docker (172.17.0.0/16 and following), podman
 * (10.88.0.0/16) and libvirt (192.168.122.0/24).
 */
const nodeNetworks = Array.from({ length: 32 }, (_, index) => `10.223.${index}.0/24`);
const podNetworks = Array.from({ length: 12 }, (_, index) => `10.${232 + index}.0.0/16`);
/** For more nodes than a /16 has networks for. */
const largePodNetworks = ["10.232.0.0/14", "10.236.0.0/14", "10.240.0.0/14"];

/** Each node has a /24 for its pods. */
export const nodesIn = (podNetwork: string): number => (parseNetwork(podNetwork)?.size ?? 0) / 256;

/**
 * Pure: networks that nobody uses. @param taken networks that this machine has routes to, and those of services
 * @param nodeCount how many nodes need a network for pods
 * @throws Error where all of them are taken
 */
export function chooseNetworks(
  taken: readonly string[],
  asked: Partial<MachineNetworks> = {},
  nodeCount = 1,
): MachineNetworks {
  const candidates = { nodes: nodeNetworks, pods: nodeCount > 256 ? largePodNetworks : podNetworks };
  const free = (what: keyof MachineNetworks): string => {
    const found = candidates[what].find((network) => !taken.some((other) => networksOverlap(network, other)));
    if (found !== undefined) return found;
    throw new Error(`this machine has routes to all networks that are tried for ${what}: name one by --${flags[what]}`);
  };
  return { nodes: asked.nodes ?? free("nodes"), pods: asked.pods ?? free("pods") };
}

const flags = { nodes: "node-network", pods: "pod-network" } as const;

interface Network {
  readonly first: number;
  readonly size: number;
}

/** Undefined: it is no IPv4 network. An address alone is one of size 1. */
export function parseNetwork(text: string): (Network & { readonly prefixLength: number }) | undefined {
  const [, address = "", length = "32"] = /^(\d+(?:\.\d+){3})(?:\/(\d+))?$/.exec(text) ?? [];
  const octets = address.split(".").map(Number);
  const prefixLength = Number(length);
  if (octets.length !== 4 || octets.some((octet) => octet > 255) || prefixLength > 32) return undefined;
  const size = 2 ** (32 - prefixLength);
  const number = octets.reduce((all, octet) => all * 256 + octet, 0);
  return { first: number - (number % size), size, prefixLength };
}

/** False where one is no IPv4 network. */
export function networksOverlap(left: string, right: string): boolean {
  const [a, b] = [parseNetwork(left), parseNetwork(right)];
  return a !== undefined && b !== undefined && a.first < b.first + b.size && b.first < a.first + a.size;
}

/** The n-th address of a network. @throws Error where it has none */
export function addressIn(network: string, n: number): string {
  const parsed = parseNetwork(network);
  if (!parsed || n >= parsed.size) throw new Error(`the network ${network} has no address number ${n}`);
  const number = parsed.first + n;
  return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join(".");
}

/** The networks of the output of `ip -4 route show table main`, the default route aside. */
export const networksOfRoutes = (text: string): string[] =>
  text.split("\n").flatMap((line) => /^(\d[\d./]*)/.exec(line)?.[1] ?? []);
