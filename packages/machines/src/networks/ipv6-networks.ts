/** The IPv6 networks of a cluster, next to its IPv4 ones. */
export interface Ipv6Networks {
  /** A /64, of the machines and this one. */
  readonly nodes: string;
  /** A /56: a /64 for each of 256 nodes. */
  readonly pods: string;
  /** A /108: as large as the API server allows. */
  readonly services: string;
}

/**
 * Pure: unique local networks (RFC 4193) that follow from the cluster's id, so that they stay the same and two clusters of a machine have
 * different ones. @param id six hexadecimal digits
 */
export function planIpv6Networks(id: string): Ipv6Networks {
  // Without leading zeros (RFC 5952), as the kernel prints them: routes are compared as texts.
  const group = (digits: string): string => Number.parseInt(digits, 16).toString(16);
  const prefix = `fdc5:${group(id.slice(0, 4))}:${group(`${id.slice(4, 6)}01`)}`;
  return { nodes: `${prefix}::/64`, pods: `${prefix}:100::/56`, services: `${prefix}:200::/108` };
}

/** The n-th address of such a network, from 1. */
export const ipv6AddressIn = (network: string, n: number): string =>
  `${network.slice(0, network.indexOf("/"))}${n.toString(16)}`;

export const prefixLengthOf = (network: string): number => Number(network.slice(network.indexOf("/") + 1));
