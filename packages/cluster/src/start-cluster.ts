import {
  type ApiOptions,
  type ApiServer,
  type ApiServerOptions,
  startApiServer,
  type UserInfo,
} from "@coxswain/apiserver";
import type { Client } from "@coxswain/client";
import type { ChosenFeatureGates } from "@coxswain/component/feature-gates";
import { type RunningDns, resolveName } from "@coxswain/dns";
import type { StartNodesOptions } from "@coxswain/kubelet";
import { clusterDomain, startClusterDns } from "./cluster-dns.js";
import { createInProcessClients } from "./in-process-clients.js";
import type { AddressPool } from "./load-balancers/load-balancer-plan.js";
import { serveLoadBalancers } from "./load-balancers/serve-load-balancers.js";
import { ensureOwnObjects } from "./own-objects.js";
import { simulatedNetwork } from "./simulated-network.js";
import { type ComponentsOptions, type RunningComponents, startComponents } from "./start-components.js";
import { administrator, dnsUser, loadBalancerUser } from "./users/component-users.js";

export interface ClusterOptions extends Omit<ComponentsOptions, "server" | "nodes" | "featureGates"> {
  /** The API server except for what it shares with the components; its store stays the caller's to close. */
  readonly apiServer: ClusterApiServerOptions;
  /** Of the API server and of all components, made by `clusterFeatureGates`. */
  readonly featureGates: ChosenFeatureGates;
  /** Simulated nodes: how many, or which; more may be added later. @default 0 */
  readonly nodes?: StartNodesOptions["nodes"];
  /** Addresses of this machine at which services of type LoadBalancer are served, by sockets. @default none: they wait for an address */
  readonly loadBalancers?: AddressPool;
}

export interface ClusterApiServerOptions extends Omit<ApiServerOptions, "runtime" | "simulatedNetwork" | "api"> {
  readonly api?: Omit<ApiOptions, "featureGates">;
}

/** A cluster in this process, without a socket. */
export interface Cluster {
  readonly server: ApiServer;
  /** An administrator's. */
  readonly client: Client;
  /** For anybody else: requests pass authorization as theirs. */
  clientFor(user: UserInfo, userAgent?: string): Client;
  readonly components: RunningComponents;
  /**
   * The data of all DNS records of a type, as a pod finds them: `web.shop` is also `web.shop.svc.cluster.local`. Empty: there are none. DNS is
   * started by the first call, and resolves no names outside of the cluster. @default type: A
   */
  resolve(name: string, type?: string): Promise<string[]>;
  /** Ends components and server; the store is left open. */
  stop(): Promise<void>;
}

/** Starts the API server and everything that works on it; resolves when all of it does. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { apiServer, ...shared } = options;
  const { runtime, featureGates } = shared;
  const server = await startApiServer({
    ...apiServer,
    runtime,
    simulatedNetwork,
    api: { ...apiServer.api, featureGates: featureGates.wanted },
  });
  const clientOf = createInProcessClients({ ...shared, server, dropsManagedFields: false });
  const components = startComponents({ ...shared, nodes: shared.nodes ?? 0, server });
  const balancers =
    options.loadBalancers &&
    serveLoadBalancers({
      runtime,
      client: clientOf(loadBalancerUser, "coxswain-load-balancer"),
      network: server.network,
      pool: options.loadBalancers,
    });
  let dns: RunningDns | undefined;
  try {
    await Promise.all([components.ready, balancers?.ready]);
    // Not by a transport that a test wraps: this is a part of the start.
    await ensureOwnObjects(
      createInProcessClients({ runtime, server, dropsManagedFields: true })(administrator, "coxswain"),
      components.controllers,
    );
  } catch (error) {
    await balancers?.stop();
    await components.stop();
    await server.stop();
    throw error;
  }
  return {
    server,
    client: clientOf(administrator, "coxswain"),
    clientFor: (user, userAgent = "coxswain") => clientOf(user, userAgent),
    components,
    async resolve(name, type = "A") {
      dns ??= startClusterDns({ runtime, client: clientOf(dnsUser, "coxswain-dns") });
      await dns.ready;
      await runtime.activity.settle(); // what was written before is known
      return resolveName(dns, { name, type, domain: clusterDomain });
    },
    async stop() {
      await dns?.stop();
      await balancers?.stop();
      await components.stop();
      await server.stop();
    },
  };
}
