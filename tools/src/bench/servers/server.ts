import type { ClusterAccess } from "../../upstream/kubeconfig.js";
import type { ProbeAnswer } from "./probe.js";

export type ServerName = "upstream" | "ours";

/** An API server with its store, started for the bench with empty data. */
export interface BenchServer {
  readonly access: ClusterAccess;
  /** From the command to the first answered GET of a namespace, in milliseconds. */
  readonly startMs: number;
  /** Of all its processes, in bytes. */
  residentBytes(): Promise<number>;
  /** Its event loop since it was last asked, and its memory; only of a server of ours that was started with a probe. */
  probe?(): Promise<ProbeAnswer>;
  /** Processor time so far, in seconds; only of a server of ours. */
  cpuSeconds?(): number;
  /** Stops the processes and removes the data. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Loads a probe of its event loop and its memory into it, where it has them. @default false */
  readonly probed?: boolean;
  /** Further flags of a server of ours. */
  readonly flags?: readonly string[];
}

/** The first GET that counts as an answer. Every cluster has this namespace. */
export const firstPath = "/api/v1/namespaces/default";
