import type { Duplex } from "node:stream";
import { kubernetesRelease } from "@coxswain/api/release";
import type { ApiServer } from "@coxswain/apiserver";
import type { FeatureGates } from "@coxswain/component/feature-gates";
import { createQueueMetrics } from "@coxswain/component/metrics";
import { allControllers, type ControllerSettings, ownControllers, startControllers } from "@coxswain/controllers";
import { type NodeSettings, type RunningNodes, type StartNodesOptions, startNodes } from "@coxswain/kubelet";
import { childRuntime, type Runtime } from "@coxswain/runtime";
import { type PostJson, type SchedulerConfig, startScheduler } from "@coxswain/scheduler";
import { clusterDomain, startClusterDns } from "./cluster-dns.js";
import {
  controllerManagerUser,
  dnsUser,
  nodeUser,
  schedulerUser,
  serviceAccountUser,
  simulatedNodesUser,
} from "./component-users.js";
import { createContainerNetwork } from "./container-network/container-network.js";
import { createInProcessClients, type InProcessClientsOptions } from "./in-process-clients.js";

export interface ComponentsOptions extends Pick<InProcessClientsOptions, "endsWatches" | "wrapTransport"> {
  /** All of them run by it, and count in its metrics. */
  readonly runtime: Runtime;
  /** The server that they work on, in this process; with `simulatedNetwork` where there are nodes. */
  readonly server: Pick<ApiServer, "answer" | "serve" | "connectInside" | "network">;
  /** `--controllers`; an empty list: none. @default ["*"] */
  readonly controllers?: readonly string[];
  readonly controllerSettings?: ControllerSettings;
  /** @default upstream's default configuration; false: no scheduler */
  readonly scheduler?: SchedulerConfig | false;
  /** How the scheduler reaches extenders; needed where its configuration has some. */
  readonly postToExtender?: PostJson;
  /** Simulated nodes: how many, or which; more may be added later. Undefined: none, ever. */
  readonly nodes: StartNodesOptions["nodes"] | undefined;
  readonly nodeSettings?: NodeSettings;
  /** How programs in simulated containers reach the server by the address of its service. @default not at all */
  readonly connectToApiServer?: () => Duplex;
  /** One value for all components, made by `clusterFeatureGates`. */
  readonly featureGates: FeatureGates;
}

export interface RunningComponents {
  /** Names of the controllers that run. */
  readonly controllers: readonly string[];
  readonly nodes: RunningNodes;
  /** Resolves when all of them work and all nodes are registered. */
  readonly ready: Promise<void>;
  stop(): Promise<void>;
}

/** Runs everything but the API server in this process, each component under its own name. */
export function startComponents(options: ComponentsOptions): RunningComponents {
  const { server, runtime, featureGates: gates } = options;
  const clientOf = createInProcessClients({ ...options, dropsManagedFields: true, takesTurns: true });
  // Heartbeats are not to wait for their turn; nodes share the thread by themselves.
  const nodeClientOf = createInProcessClients({ ...options, dropsManagedFields: true });
  const agent = (component: string): string => `${component}/${kubernetesRelease.gitVersion}`;
  const controllers = startControllers({
    all: [...allControllers, ...ownControllers],
    controllers: options.controllers ?? ["*"],
    // There is one API server, so nobody has to wait until others have seen a deletion.
    settings: { namespaceDeletionGraceMs: 0, ...options.controllerSettings },
    gates,
    runtime: childRuntime(runtime, { component: "controller-manager" }),
    queueMetrics: createQueueMetrics(runtime.metrics),
    clientFor: (account) =>
      account === undefined
        ? clientOf(controllerManagerUser, agent("kube-controller-manager"))
        : clientOf(serviceAccountUser(account), agent("kube-controller-manager")),
  });
  const scheduler =
    options.scheduler === false
      ? undefined
      : startScheduler({
          client: clientOf(schedulerUser, agent("kube-scheduler")),
          gates,
          ...(options.scheduler && { config: options.scheduler }),
          ...(options.postToExtender && { post: options.postToExtender }),
          runtime: childRuntime(runtime, { component: "scheduler" }),
        });
  const network = createContainerNetwork({
    runtime,
    network: server.network,
    domain: clusterDomain,
    connectToApiServer: options.connectToApiServer,
    startDns: () => startClusterDns({ runtime, client: clientOf(dnsUser, "coxswain-dns") }),
  });
  const nodes = startNodes({
    client: nodeClientOf(simulatedNodesUser, agent("kubelet")),
    clientFor: (name) => nodeClientOf(nodeUser(name), agent("kubelet")),
    nodes: options.nodes ?? 0,
    settings: { network, ...options.nodeSettings },
    runtime: childRuntime(runtime, { component: "kubelet" }),
  });
  if (options.nodes !== undefined) server.connectInside(nodes.connections);
  return {
    controllers: controllers.running,
    nodes,
    ready: Promise.all([controllers.ready, scheduler?.ready, nodes.ready]).then(() => undefined),
    async stop() {
      // Nodes first: what they still report is worth a write, and nobody has to react to it.
      await nodes.stop();
      await network.stop();
      await scheduler?.stop();
      await controllers.stop();
    },
  };
}
