import { defineFlags, type OptionsOf } from "@coxswain/component/flags";
import type { ControllerSettings } from "@coxswain/controllers";

const size = { group: "Nodes", type: "integer", min: 0, max: 128, value: "bits" } as const;

/** Whether and from where nodes get the networks of their pods. */
export const nodeIpamFlags = defineFlags({
  "allocate-node-cidrs": {
    group: "Nodes",
    type: "boolean",
    help: "Give each node a part of --cluster-cidr for its pods.",
  },
  "cluster-cidr": {
    group: "Nodes",
    type: "strings",
    default: [],
    value: "network,…",
    help: "The network of all pods, or one of each address family.",
  },
  "service-cluster-ip-range": {
    group: "Nodes",
    type: "strings",
    default: [],
    value: "network,…",
    help: "The networks of services, which nodes do not get.",
  },
  "node-cidr-mask-size": { ...size, help: "The prefix length of a node's network. Default: 24, 64 for IPv6." },
  "node-cidr-mask-size-ipv4": { ...size, help: "The same for IPv4, where there are two families. Default: 24." },
  "node-cidr-mask-size-ipv6": { ...size, help: "The same for IPv6. Default: 64." },
});

export function nodeIpamFrom(options: OptionsOf<typeof nodeIpamFlags>): Pick<ControllerSettings, "nodeIpam"> {
  if (!options.allocateNodeCidrs) return {};
  const {
    nodeCidrMaskSize: maskSize,
    nodeCidrMaskSizeIpv4: maskSizeIpv4,
    nodeCidrMaskSizeIpv6: maskSizeIpv6,
  } = options;
  return {
    nodeIpam: {
      clusterCidrs: options.clusterCidr,
      serviceCidrs: options.serviceClusterIpRange,
      ...(maskSize && { maskSize }),
      ...(maskSizeIpv4 && { maskSizeIpv4 }),
      ...(maskSizeIpv6 && { maskSizeIpv6 }),
    },
  };
}
