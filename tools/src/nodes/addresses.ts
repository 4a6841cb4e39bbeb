/** All of it lives in a network namespace without a way out, so the numbers need to fit nobody else's. */
export const networks = {
  /** Of the bridge: there the control plane, the registry and the DNS server listen. */
  bridge: "10.100.0.1",
  prefixLength: 24,
  pods: "10.244.0.0/16",
  services: "10.96.0.0/16",
  /** Of the service `kubernetes`: the first of the range. */
  kubernetesService: "10.96.0.1",
  dnsService: "10.96.0.10",
} as const;

export const ports = { apiserver: 6443, registry: 5000, etcd: 2379, etcdPeer: 2380 } as const;

/** Nodes are counted from 1. */
export const nodeName = (index: number): string => `n${index}`;
export const nodeAddress = (index: number): string => `10.100.0.${10 + index}`;
/** As a cloud provider spreads nodes: tests of topology need three zones, some of them with two nodes each. */
export const nodeZone = (index: number): string => `zone-${((index - 1) % 3) + 1}`;
