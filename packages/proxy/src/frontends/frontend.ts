import type { Family } from "../addresses/family.js";

/** As nft and conntrack name them. */
export const protocols = ["tcp", "udp", "sctp"] as const;
export type Protocol = (typeof protocols)[number];

/** Where a connection may be sent. */
export interface Backend {
  readonly address: string;
  readonly port: number;
  /** On this node. */
  readonly isLocal: boolean;
}

/** One address (or every local address), protocol and port, with its own list of backends. */
export interface Frontend {
  readonly kind: "ClusterIP" | "ExternalIP" | "LoadBalancerIP" | "NodePort";
  /** Undefined for a node port: every address of the node that accepts node ports. */
  readonly address: string | undefined;
  readonly port: number;
  readonly backends: readonly Backend[];
  /**
   * Only with `externalTrafficPolicy: Local`: where connections of this node and of its pods go. They are subject to no traffic
   * policy, as if they had gone out to a load balancer and come back.
   */
  readonly insideBackends?: readonly Backend[];
  /** The backend sees the node's address, because the answer must pass this node. */
  readonly masquerade: boolean;
  /** What happens to connections without a backend: `reject` where the service has none at all, `drop` where it has none here. */
  readonly otherwise?: "reject" | "drop";
  /** Only with `loadBalancerSourceRanges`: connections from elsewhere are dropped. */
  readonly sources?: readonly string[];
}

/** One port of a service in one family. */
export interface PortFrontends {
  /** "namespace/name:port", as upstream prints it (pkg/proxy/types.go, String). */
  readonly name: string;
  readonly protocol: Protocol;
  /** `sessionAffinity: ClientIP`: a client keeps its backend until it has been silent for so long. */
  readonly affinitySeconds?: number;
  readonly frontends: readonly Frontend[];
  /** Every backend that some frontend reaches from here. */
  readonly reachable: readonly Backend[];
  /** Backends ("address:port") to which entries of conntrack may go on pointing, whatever the traffic policies are. */
  readonly serving: ReadonlySet<string>;
  /** Metrics: a Local policy for which this node has no backend, though the service has some. */
  readonly noLocal: { readonly internal: boolean; readonly external: boolean };
}

/** What one service is on this node in one family. */
export interface ServiceFrontends {
  /** "namespace/name" */
  readonly service: string;
  readonly family: Family;
  /** Of two services that claim the same address and port, the one with the lower rank has it: the older one. */
  readonly rank: string;
  readonly clusterIP: string;
  readonly ports: readonly PortFrontends[];
  /** Zero: none. */
  readonly healthCheckNodePort: number;
  /** Addresses of ready backends on this node: what the health check of a load balancer sees. */
  readonly localReady: number;
}

export const backendKey = ({ address, port }: Pick<Backend, "address" | "port">): string =>
  address.includes(":") ? `[${address}]:${port}` : `${address}:${port}`;
