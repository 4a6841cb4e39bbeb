import type { ClusterAccess } from "../../upstream/kubeconfig.js";

export type ServerName = "upstream" | "ours";

/** An API server with its store, started for the bench with empty data. */
export interface BenchServer {
  readonly access: ClusterAccess;
  /** From the command to the first answered GET of a namespace, in milliseconds. */
  readonly startMs: number;
  /** Of all its processes, in bytes. */
  residentBytes(): Promise<number>;
  /** Stops the processes and removes the data. */
  stop(): Promise<void>;
}

/** The first GET that counts as an answer. Every cluster has this namespace. */
export const firstPath = "/api/v1/namespaces/default";
