import type { Duplex } from "node:stream";
import type { InsideNetwork } from "@coxswain/apiserver";
import { findName, type RunningDns } from "@coxswain/dns";
import type { PodNetwork } from "@coxswain/kubelet";
import type { Runtime } from "@coxswain/runtime";
import { isClusterName } from "./cluster-name.js";
import { planBackends } from "./plan-backends.js";

export interface ContainerNetworkOptions {
  readonly runtime: Runtime;
  /** The cluster's DNS, and the domain of its services. */
  startDns(): RunningDns;
  readonly domain: string;
  /** Of the API server: to pods of this process, never by a socket. */
  readonly network: InsideNetwork;
  /** A connection to the cluster's API server, by TLS. Undefined: it has no port. */
  readonly connectToApiServer?: (() => Duplex) | undefined;
}

export interface RunningContainerNetwork extends PodNetwork {
  stop(): Promise<void>;
}

/** Where the tenth address of the default range of services would be: kubeadm's place for DNS. Nothing is sent there. */
const nameServer = "10.96.0.10";

/**
 * What programs in simulated containers reach: names by the cluster's own DNS, pods by their addresses, services by their cluster IPs, the
 * API server by the address of its service. It
 * begins to follow the cluster when it is asked for something: most clusters never run such a program.
 */
export function createContainerNetwork(options: ContainerNetworkOptions): RunningContainerNetwork {
  const { runtime, network, domain } = options;
  let dns: RunningDns | undefined;
  const ready = async (): Promise<RunningDns> => {
    dns ??= options.startDns();
    await dns.ready;
    return dns;
  };
  return {
    nameServer,
    domain,
    async lookup(name, { type, namespace }) {
      const asked = await ready();
      const found = await findName(asked, { name, type, domain, namespace });
      if (found) return { kind: "found", ...found };
      return { kind: isClusterName(name, domain, asked.records) ? "missing" : "outside" };
    },
    async connect(address, port) {
      const { records } = await ready();
      const service = records.serviceByClusterIp(address);
      const isApiServer = service?.namespace === "default" && service.name === "kubernetes";
      if (isApiServer && port === 443 && options.connectToApiServer)
        return { kind: "connected", stream: options.connectToApiServer(), isTlsServer: true };
      const backends = planBackends(records, address, port);
      const first = Math.floor(runtime.random.next() * backends.length);
      for (const backend of [...backends.slice(first), ...backends.slice(0, first)]) {
        try {
          const dial = { hostname: backend.address, port: backend.port, scheme: "http", user: undefined } as const;
          const stream = network.connectInside(dial);
          return stream ? { kind: "connected", stream } : { kind: "outside" };
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          if (backends.length === 1) return { kind: code === "EHOSTUNREACH" ? "unreachable" : "refused" };
        }
      }
      return { kind: "refused" }; // as kube-proxy refuses for a service without endpoints
    },
    async stop() {
      await dns?.stop();
    },
  };
}
