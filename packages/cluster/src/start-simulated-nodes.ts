import type { Duplex } from "node:stream";
import { kubernetesRelease } from "@coxswain/api/release";
import type { InsideConnections, InsideNetwork } from "@coxswain/apiserver";
import { type NodeSettings, type RunningNodes, type StartNodesOptions, startNodes } from "@coxswain/kubelet";
import { childRuntime, type Runtime } from "@coxswain/runtime";
import { clusterDomain, startClusterDns } from "./cluster-dns.js";
import { createContainerNetwork } from "./container-network/container-network.js";
import type { ComponentClients } from "./users/component-clients.js";
import { dnsUser, nodeUser, simulatedNodesUser } from "./users/component-users.js";

export interface SimulatedNodesOptions {
  readonly runtime: Runtime;
  readonly clientOf: ComponentClients;
  /** For the cluster's DNS, which programs in simulated containers ask. */
  readonly dnsClientOf: ComponentClients;
  /** Of programs in simulated containers, by the connections of the nodes. */
  readonly network: (connections: () => InsideConnections) => InsideNetwork;
  /** How many, or which; more may be added later. */
  readonly nodes: StartNodesOptions["nodes"];
  readonly nodeSettings?: NodeSettings;
  /** How programs in simulated containers reach the server by the address of its service. @default not at all */
  readonly connectToApiServer?: () => Duplex;
}

export interface RunningSimulatedNodes {
  readonly nodes: RunningNodes;
  stop(): Promise<void>;
}

/** Runs the simulated nodes in this process, wherever the API server is. Each writes as itself. */
export function startSimulatedNodes(options: SimulatedNodesOptions): RunningSimulatedNodes {
  const { runtime, clientOf } = options;
  const agent = `kubelet/${kubernetesRelease.gitVersion}`;
  const network = createContainerNetwork({
    runtime,
    network: options.network(() => nodes.connections),
    domain: clusterDomain,
    connectToApiServer: options.connectToApiServer,
    startDns: () => startClusterDns({ runtime, client: options.dnsClientOf(dnsUser, "coxswain-dns") }),
  });
  const nodes: RunningNodes = startNodes({
    client: clientOf(simulatedNodesUser, agent),
    clientFor: (name) => clientOf(nodeUser(name), agent),
    nodes: options.nodes,
    settings: { network, ...options.nodeSettings },
    runtime: childRuntime(runtime, { component: "kubelet" }),
  });
  return {
    nodes,
    async stop() {
      await nodes.stop();
      await network.stop();
    },
  };
}
