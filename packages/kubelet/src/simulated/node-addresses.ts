import { toNumber, toText } from "../addresses/pod-addresses.js";
import type { NodeSpec } from "../node/node-spec.js";

/** Where nodes that are given no addresses of their own get them from: nodes one by one, pods in a /24 for each node. */
export const simulatedCidrs = { nodes: "172.18.0.0/16", pods: "10.244.0.0/14" } as const;
const [hostNetwork, podNetwork] = [simulatedCidrs.nodes, simulatedCidrs.pods].map((cidr) =>
  toNumber(cidr.split("/")[0] ?? ""),
) as [number, number];

/** From the range's second address on. */
export const addressOf = ({ address }: NodeSpec, index: number): string => address ?? toText(hostNetwork + 2 + index);
export const podRangeOf = ({ podCIDR }: NodeSpec, index: number): string =>
  podCIDR ?? `${toText(podNetwork + (index % 1024) * 256)}/24`;
