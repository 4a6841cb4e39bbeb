import type { ClusterAccess } from "../../upstream/kubeconfig.js";
import type { ServerName } from "../servers/server.js";
import { startOurCluster } from "./our-cluster.js";
import { startUpstreamCluster } from "./upstream-cluster.js";

/** A whole cluster with simulated nodes, started for the bench with empty data. */
export interface BenchCluster {
  readonly access: ClusterAccess;
  /** When its command was given, on the clock of `performance.now()`. */
  readonly beganMs: number;
  /** Of all its processes, in bytes. */
  residentBytes(): Promise<number>;
  /** Processor time of all its processes so far, in seconds. */
  cpuSeconds(): number;
  /** Stops the processes and removes the data. */
  stop(): Promise<void>;
}

/** Resolves when the cluster takes pods and all its nodes are registered. */
export const startCluster = (name: ServerName, nodes: number, signal: AbortSignal): Promise<BenchCluster> =>
  name === "ours" ? startOurCluster(nodes) : startUpstreamCluster(nodes, signal);
