import { networksOverlap, parseNetwork } from "../networks/ipv4-network.js";
import type { Ipv6Networks } from "../networks/ipv6-networks.js";

/** The networks of a cluster's machines and of their pods, as IPv4 networks: `10.223.0.0/24`. */
export interface MachineNetworks {
  readonly nodes: string;
  readonly pods: string;
  /** Of a dual-stack cluster. */
  readonly ipv6?: Ipv6Networks;
}

/** Of all families. */
export const podNetworks = ({ pods, ipv6 }: MachineNetworks): string[] => (ipv6 ? [pods, ipv6.pods] : [pods]);
export const nodeNetworks = ({ nodes, ipv6 }: MachineNetworks): string[] => (ipv6 ? [nodes, ipv6.nodes] : [nodes]);

/**
 * Tried in this order: the first that overlaps nothing on this machine is taken. Neither overlaps the networks of simulated nodes
 * (172.18.0.0/16, 10.244.0.0/14), which share a cluster with real ones, nor those of Docker (172.17.0.0/16 and following), podman
 * (10.88.0.0/16) and libvirt (192.168.122.0/24).
 */
const nodeCandidates = Array.from({ length: 32 }, (_, index) => `10.223.${index}.0/24`);
const podCandidates = Array.from({ length: 12 }, (_, index) => `10.${232 + index}.0.0/16`);
/** For more nodes than a /16 has networks for. */
const largePodCandidates = ["10.232.0.0/14", "10.236.0.0/14", "10.240.0.0/14"];

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
  const candidates = { nodes: nodeCandidates, pods: nodeCount > 256 ? largePodCandidates : podCandidates };
  const free = (what: "nodes" | "pods"): string => {
    const found = candidates[what].find((network) => !taken.some((other) => networksOverlap(network, other)));
    if (found !== undefined) return found;
    throw new Error(`this machine has routes to all networks that are tried for ${what}: name one by --${flags[what]}`);
  };
  return {
    nodes: asked.nodes ?? free("nodes"),
    pods: asked.pods ?? free("pods"),
    ...(asked.ipv6 && { ipv6: asked.ipv6 }),
  };
}

const flags = { nodes: "node-network", pods: "pod-network" } as const;
