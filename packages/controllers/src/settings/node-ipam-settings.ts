/** What --allocate-node-cidrs needs to know. */
export interface NodeIpamSettings {
  /** --cluster-cidr: one network, or one of each family. */
  readonly clusterCidrs: readonly string[];
  /** --service-cluster-ip-range: what services have is not given to nodes. @default none */
  readonly serviceCidrs?: readonly string[];
  /** --node-cidr-mask-size: the prefix length of a node's network, where there is one family. @default 24, 64 for IPv6 */
  readonly maskSize?: number;
  /** --node-cidr-mask-size-ipv4. @default 24 */
  readonly maskSizeIpv4?: number;
  /** --node-cidr-mask-size-ipv6. @default 64 */
  readonly maskSizeIpv6?: number;
}
