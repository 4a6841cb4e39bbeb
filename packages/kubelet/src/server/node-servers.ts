import type { Client } from "@coxswain/client";
import type { NodeAgent } from "../node/node-agent.js";
import type { CachedPod } from "../objects/cached-pod.js";
import { createKubeletAccess } from "./access.js";
import { createInsideConnections, type InsideConnections } from "./inside-connections.js";
import { createKubeletServer, type KubeletServer, type KubeletServerDeps } from "./kubelet-server.js";
import type { KubeletSource } from "./kubelet-source.js";
import { createOwnedAddresses, type OwnedAddresses } from "./owned-addresses.js";

export interface NodeServersOptions extends Omit<KubeletServerDeps, "access"> {
  /** By their names, as they come and go. */
  readonly agents: ReadonlyMap<string, NodeAgent>;
  /** With the index `address`. */
  readonly pods: {
    getByKey(key: string): CachedPod | undefined;
    byIndex(index: string, value: string): readonly CachedPod[];
  };
  readonly kubeletPort: number;
  /** Of a node: it asks the API server who may ask it. */
  clientOf(node: string): Client;
}

/** What answers for the nodes of a process, and where. */
export interface NodeServers {
  readonly source: KubeletSource;
  readonly server: KubeletServer;
  readonly connections: InsideConnections;
  /** Each node is added here. */
  readonly owned: OwnedAddresses;
}

export function createNodeServers(options: NodeServersOptions): NodeServers {
  const { agents, pods, kubeletPort, clientOf, runtime, pages } = options;
  const owned = createOwnedAddresses();
  const source: KubeletSource = {
    nodeAt: (host) => agents.get(owned.nodeAt(host) ?? ""),
    onlyNode: () => (agents.size === 1 ? [...agents.values()][0] : undefined),
    findPod(namespace, name) {
      const pod = pods.getByKey(`${namespace}/${name}`);
      const agent = pod && agents.get(pod.spec?.nodeName ?? "");
      const worker = pod && agent?.workerOf(pod);
      return agent && worker ? { agent, worker } : undefined;
    },
  };
  const server = createKubeletServer(source, {
    runtime,
    pages,
    access: createKubeletAccess({ clientOf, clock: runtime.clock }),
  });
  const connections = createInsideConnections({
    source,
    server,
    kubeletPort,
    owned,
    podAt: (address) => pods.byIndex("address", address).find(({ spec }) => !spec?.hostNetwork),
  });
  return { source, server, connections, owned };
}
