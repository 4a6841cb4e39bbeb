import { type ClientConfig, type ConnectedClient, connect, loadKubeconfig } from "@coxswain/client/node";
import { defineFlags, FlagError } from "@coxswain/component/flags";
import { clusterCommandFlags } from "../up/cluster-command.js";
import { clusterFolder } from "../up/cluster-home.js";
import { isRunning, readState } from "../up/cluster-state.js";
import { notRunning } from "../up/not-running.js";

/** Which cluster tokens are for. */
export const tokenClusterFlags = defineFlags({
  ...clusterCommandFlags,
  kubeconfig: {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "An administrator's, of any cluster, instead of a cluster of this machine.",
  },
});

export interface TokenCluster {
  readonly client: ConnectedClient;
  readonly config: ClientConfig;
  /** Whether it was started on this machine by `coxswain up`. */
  readonly isOwn: boolean;
  readonly port: number | undefined;
}

/** @throws FlagError where the cluster does not run */
export function openCluster(options: {
  readonly name: string;
  readonly dataDir?: string | undefined;
  readonly kubeconfig?: string | undefined;
}): TokenCluster {
  if (options.kubeconfig !== undefined) {
    const config = loadKubeconfig({ path: options.kubeconfig });
    return { client: connect(config), config, isOwn: false, port: undefined };
  }
  const state = readState(clusterFolder(options));
  if (!state || !isRunning(state)) throw new FlagError(notRunning(options, " --runtime containerd").trimEnd());
  const config = loadKubeconfig({ path: state.kubeconfig });
  return { client: connect(config), config, isOwn: true, port: state.port };
}
