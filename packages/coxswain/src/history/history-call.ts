import type { Client } from "@coxswain/client";
import type { ClientConfig } from "@coxswain/client/kubeconfig";
import { connect, loadConfig } from "@coxswain/client/node";
import { defineFlags, type FlagTable, type OptionsOf } from "@coxswain/component/flags";
import { systemClock } from "@coxswain/runtime/clock";
import { chooseCluster, clusterFlags } from "../operator/apply/choose-cluster.js";
import { printable } from "./printable.js";

/** What every command about the past takes: kubectl's own names. */
export const historyFlags = defineFlags({
  ...clusterFlags,
  namespace: {
    group: "Cluster",
    type: "string",
    short: "n",
    value: "name",
    help: "The namespace. By default that of the context.",
  },
  as: { group: "Cluster", type: "string", value: "user", help: "Ask as this user." },
  "as-group": { group: "Cluster", type: "strings", value: "group,…", help: "Groups of the user to ask as." },
  "kubectl-plugin": {
    group: "Cluster",
    type: "boolean",
    hidden: true,
    help: "Called by kubectl: the cluster is the one that kubectl would ask.",
  },
  help: { group: "Help", type: "boolean", help: "Show this text." },
});

/** What a command works on, so that tests run it on a cluster of their own. */
export interface HistoryPlace {
  readonly client: Client;
  /** Where objects are that name no namespace. */
  readonly namespace: string;
  readonly print: (line: string) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** One of the words after `coxswain history`, and `why`. */
export interface HistoryCommand<T extends FlagTable = FlagTable> {
  readonly name: string;
  /** What stands behind the name: `KIND/NAME`. */
  readonly takes: string;
  readonly description: string;
  readonly flags: T;
  /** The number is the exit code. */
  run(call: HistoryCall<T>): Promise<number>;
}

export interface HistoryCall<T extends FlagTable> extends HistoryPlace {
  readonly options: OptionsOf<T>;
  readonly words: readonly string[];
}

/** Keeps the exact types of the flags within, and hides them from the list of all. */
export const defineHistoryCommand = <const T extends FlagTable>(command: HistoryCommand<T>): HistoryCommand =>
  command as unknown as HistoryCommand;

type ClusterChoice = OptionsOf<typeof historyFlags>;

/** As kubectl finds it, when kubectl calls. @throws FlagError, KubeconfigError */
export function configFrom(options: Omit<ClusterChoice, "help">): ClientConfig {
  const { kubeconfig, context } = options;
  const config = options.kubectlPlugin
    ? loadConfig({ ...(kubeconfig !== undefined && { path: kubeconfig }), ...(context !== undefined && { context }) })
    : chooseCluster(options).config;
  return {
    ...config,
    ...(options.namespace !== undefined && { namespace: options.namespace }),
    ...(options.as !== undefined && { impersonate: { user: options.as, groups: options.asGroup } }),
  };
}

/** A place at the cluster that the flags name. */
export function openPlace(options: Omit<ClusterChoice, "help">): HistoryPlace {
  const client = connect(configFrom(options), { userAgent: "coxswain-history" });
  return {
    client,
    namespace: client.defaultNamespace,
    print: (line) => void process.stdout.write(`${printable(line)}\n`),
    now: () => systemClock.now(),
  };
}
