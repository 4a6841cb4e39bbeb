import type { ApiServer } from "@coxswain/apiserver";
import type { RunningNodes, StartNodesOptions } from "@coxswain/kubelet";
import { createInProcessClients, type InProcessClientsOptions } from "./in-process-clients.js";
import { type ControlOptions, type RunningControl, startControl } from "./start-control.js";
import { type SimulatedNodesOptions, startSimulatedNodes } from "./start-simulated-nodes.js";

export interface ComponentsOptions
  extends Pick<InProcessClientsOptions, "endsWatches" | "wrapTransport">,
    Omit<ControlOptions, "clientOf">,
    Pick<SimulatedNodesOptions, "nodeSettings" | "connectToApiServer"> {
  /** The server that they work on, in this process; with `simulatedNetwork` where there are nodes. */
  readonly server: Pick<ApiServer, "answer" | "serve" | "connectInside" | "network">;
  /** Simulated nodes: how many, or which; more may be added later. Undefined: none, ever. */
  readonly nodes: StartNodesOptions["nodes"] | undefined;
}

export interface RunningComponents extends RunningControl {
  readonly nodes: RunningNodes;
  /** Resolves when all of them work and all nodes are registered. */
  readonly ready: Promise<void>;
}

/** Runs everything but the API server in this process, each component under its own name. */
export function startComponents(options: ComponentsOptions): RunningComponents {
  const { server } = options;
  const clientOf = createInProcessClients({ ...options, dropsManagedFields: true, takesTurns: true });
  const control = startControl({ ...options, clientOf });
  const simulated = startSimulatedNodes({
    ...options,
    // Heartbeats are not to wait for their turn; nodes share the thread by themselves.
    clientOf: createInProcessClients({ ...options, dropsManagedFields: true }),
    dnsClientOf: clientOf,
    network: () => server.network,
    nodes: options.nodes ?? 0,
  });
  const { nodes } = simulated;
  if (options.nodes !== undefined) server.connectInside(nodes.connections);
  return {
    controllers: control.controllers,
    nodes,
    ready: Promise.all([control.ready, nodes.ready]).then(() => undefined),
    async stop() {
      // Nodes first: what they still report is worth a write, and nobody has to react to it.
      await simulated.stop();
      await control.stop();
    },
  };
}
