import { type NumericNetwork, parseNetwork } from "../networks/ip-network.js";
import type { NodeIpamSettings } from "../settings/node-ipam-settings.js";

export interface ClusterNetwork {
  readonly network: NumericNetwork;
  /** The prefix length of each node's part. */
  readonly nodeLength: number;
}

const [defaultIpv4, defaultIpv6] = [24, 64];

/** Pure: the networks that nodes get their own from, one of each family. @throws Error for settings that contradict each other */
export function clusterNetworks(settings: NodeIpamSettings): ClusterNetwork[] {
  const networks = settings.clusterCidrs.map((text) => {
    const network = parseNetwork(text.trim());
    if (!network) throw new Error(`invalid CIDR address: ${text}`);
    return network;
  });
  if (networks.length === 0) throw new Error("Controller: Must specify --cluster-cidr if --allocate-node-cidrs is set");
  if (networks.length > 1 && new Set(networks.map(({ family }) => family)).size < 2)
    throw new Error(
      `len of ClusterCIDRs==${networks.length} and they are not configured as dual stack (at least one from each IPFamily`,
    );
  if (networks.length > 2) throw new Error(`length of clusterCIDRs is:${networks.length} more than max allowed of 2`);
  const lengths = nodeLengths(settings, networks);
  return networks.map((network) => ({ network, nodeLength: lengths[network.family] }));
}

function nodeLengths(
  { maskSize, maskSizeIpv4, maskSizeIpv6 }: NodeIpamSettings,
  networks: readonly NumericNetwork[],
): Record<NumericNetwork["family"], number> {
  const isIpv6 = networks[0]?.family === "IPv6";
  if (networks.length > 1) {
    if (maskSize) throw new Error("usage of --node-cidr-mask-size is not allowed with dual-stack clusters");
  } else if (maskSize) {
    if (maskSizeIpv4 || maskSizeIpv6)
      throw new Error(
        "usage of --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 is not allowed if --node-cidr-mask-size is set. For dual-stack clusters please unset it and use IPFamily specific flags",
      );
    return { IPv4: maskSize, IPv6: maskSize };
  } else if (maskSizeIpv4 && isIpv6)
    throw new Error("usage of --node-cidr-mask-size-ipv4 is not allowed for a single-stack IPv6 cluster");
  else if (maskSizeIpv6 && !isIpv6)
    throw new Error("usage of --node-cidr-mask-size-ipv6 is not allowed for a single-stack IPv4 cluster");
  return { IPv4: maskSizeIpv4 || defaultIpv4, IPv6: maskSizeIpv6 || defaultIpv6 };
}
