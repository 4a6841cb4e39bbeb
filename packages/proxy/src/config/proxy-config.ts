/** KubeProxyConfiguration with its defaults, as far as the nftables mode goes by it. */
export interface ProxyConfig {
  readonly featureGates: Readonly<Record<string, boolean>>;
  readonly clientConnection: { readonly kubeconfig: string; readonly qps: number; readonly burst: number };
  readonly logging: { readonly format: "text" | "json"; readonly verbosity: number };
  /** "": the machine's own name. */
  readonly hostnameOverride: string;
  /** Overrides the node's primary address; nothing is bound to it. */
  readonly bindAddress: string;
  /** "address:port" */
  readonly healthzBindAddress: string;
  readonly metricsBindAddress: string;
  /** A port that cannot be bound ends the process. */
  readonly bindAddressHardFail: boolean;
  readonly enableProfiling: boolean;
  readonly nftables: {
    readonly masqueradeBit: number;
    readonly masqueradeAll: boolean;
    readonly syncPeriodMs: number;
    readonly minSyncPeriodMs: number;
  };
  readonly detectLocalMode: DetectLocalMode;
  readonly detectLocal: { readonly bridgeInterface: string; readonly interfaceNamePrefix: string };
  /** One network, or one of each family. */
  readonly clusterCidrs: readonly string[];
  /** Networks of addresses that accept node ports, or "primary": the node's own. */
  readonly nodePortAddresses: readonly string[];
  readonly oomScoreAdj: number;
  readonly conntrack: {
    readonly maxPerCore: number;
    readonly min: number;
    readonly tcpEstablishedTimeoutMs: number;
    readonly tcpCloseWaitTimeoutMs: number;
    readonly tcpBeLiberal: boolean;
    readonly udpTimeoutMs: number;
    readonly udpStreamTimeoutMs: number;
  };
}

export const detectLocalModes = ["", "ClusterCIDR", "NodeCIDR", "BridgeInterface", "InterfaceNamePrefix"] as const;
export type DetectLocalMode = (typeof detectLocalModes)[number];
