import type { ClientConfig } from "@coxswain/client/kubeconfig";
import { loadConfig } from "@coxswain/client/node";
import { defineFlags, FlagError } from "@coxswain/component/flags";
import { clusterFolder } from "../../up/cluster-home.js";
import { isRunning, readState } from "../../up/cluster-state.js";

/** A cluster of any kubeconfig. */
export const kubeconfigFlags = defineFlags({
  kubeconfig: {
    group: "Cluster",
    type: "string",
    value: "file",
    help: "The kubeconfig. By default $KUBECONFIG or ~/.kube/config.",
  },
  context: { group: "Cluster", type: "string", value: "name", help: "Its context. The current one by default." },
});

/** Which cluster a command works on. */
export const clusterFlags = defineFlags({
  name: {
    group: "Cluster",
    type: "string",
    value: "name",
    help: 'A cluster of "coxswain up". By default the one named default, where it runs and neither --kubeconfig, --context nor $KUBECONFIG names another.',
  },
  ...kubeconfigFlags,
});

export interface ClusterOptions {
  readonly name?: string | undefined;
  readonly kubeconfig?: string | undefined;
  readonly context?: string | undefined;
}

export interface ChosenCluster {
  readonly config: ClientConfig;
  /** For people. */
  readonly description: string;
  /** The same choice as flags of an operator's program. */
  readonly flags: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What was named, else the cluster of `coxswain up` where it runs, else the current context. A cluster on this machine goes before
 * the context of ~/.kube/config, which may be a production cluster. @throws FlagError, KubeconfigError
 */
export function chooseCluster(options: ClusterOptions, environment: Environment = process.env): ChosenCluster {
  const { name, kubeconfig, context } = options;
  if (name !== undefined && (kubeconfig !== undefined || context !== undefined))
    throw new FlagError("--name is a cluster of coxswain up: give no --kubeconfig and no --context beside it");
  const isNamed = kubeconfig !== undefined || context !== undefined || Boolean(environment["KUBECONFIG"]);
  const local = name !== undefined || !isNamed ? runningCluster(name ?? "default", environment) : undefined;
  if (name !== undefined && local === undefined)
    throw new FlagError(`--name: the cluster ${name} does not run; "coxswain up --name ${name}" starts it`);
  const path = local ?? kubeconfig;
  const choice = { ...(path !== undefined && { path }), ...(context !== undefined && { context }) };
  const config = loadConfig({ ...choice, environment });
  return {
    config,
    description: local === undefined ? config.server : `${name ?? "default"} of coxswain up, ${config.server}`,
    flags: [
      ...(path === undefined ? [] : ["--kubeconfig", path]),
      ...(context === undefined ? [] : ["--context", context]),
    ],
  };
}

/** Its kubeconfig. */
function runningCluster(name: string, environment: Environment): string | undefined {
  const state = readState(clusterFolder({ name }, environment));
  return state && isRunning(state) ? state.kubeconfig : undefined;
}

/** Whether the API server runs on this machine, and so can call webhooks here by a loopback address. */
export function isOnThisMachine({ server }: Pick<ClientConfig, "server">): boolean {
  const { hostname } = new URL(server);
  return hostname === "localhost" || hostname === "[::1]" || hostname.startsWith("127.");
}
