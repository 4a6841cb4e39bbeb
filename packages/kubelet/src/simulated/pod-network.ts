import { isIP } from "node:net";
import type { Duplex } from "node:stream";
import type { Connection, ContainerNetwork, Lookup } from "../languages/shell/network.js";
import { type CachedPod, namespaceOf } from "../objects/cached-pod.js";

/** The network between simulated pods: the cluster's names, and what its addresses lead to. */
export interface PodNetwork {
  /** Of the cluster's DNS. */
  readonly nameServer: string;
  /** Of its services: `cluster.local`. */
  readonly domain: string;
  /** As a pod of the namespace finds a name. */
  lookup(name: string, options: { readonly type: string; readonly namespace: string }): Promise<Lookup>;
  /** To pods, and to services by their cluster IPs. */
  connect(address: string, port: number): Promise<Connection>;
}

export interface OwnPod {
  readonly pod: CachedPod;
  readonly hostname: string;
  ips(): readonly string[];
  /** A connection to a port of the pod itself; undefined: nothing listens there. */
  openPort(port: number): Duplex | undefined;
}

/** The network as a container of a pod sees it: its own ports are there, also without a cluster's. */
export function networkOf(own: OwnPod, cluster: PodNetwork | undefined): ContainerNetwork {
  const isOwn = (address: string): boolean =>
    address.startsWith("127.") || address === "::1" || own.ips().includes(address);
  return {
    nameServer: cluster?.nameServer ?? "127.0.0.1",
    async lookup(name, type) {
      if (name === "localhost" && type === "A") return { kind: "found", name, data: ["127.0.0.1"] };
      if (name === own.hostname && type === "A") return { kind: "found", name, data: own.ips().slice(0, 1) };
      return cluster ? cluster.lookup(name, { type, namespace: namespaceOf(own.pod) }) : { kind: "outside" };
    },
    async connect(address, port) {
      if (isIP(address) === 0 || !(port > 0 && port < 65536)) return { kind: "refused" };
      if (!isOwn(address)) return cluster ? cluster.connect(address, port) : { kind: "outside" };
      const stream = own.openPort(port);
      return stream ? { kind: "connected", stream } : { kind: "refused" };
    },
  };
}
