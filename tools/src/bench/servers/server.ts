import type { ClusterAccess } from "../../upstream/kubeconfig.js";

export type ServerName = "upstream" | "ours";

/** An API server with its store, started for the bench with empty data. */
export interface BenchServer {
  readonly access: ClusterAccess;
  /** From the command to the first answered GET of a namespace, in milliseconds. */
  readonly startMs: number;
  /** Of all its processes, in bytes. */
  residentBytes(): Promise<number>;
  /** The part of it that is no mapped file. */
  anonymousBytes(): Promise<number>;
  /** Since it was last asked, in milliseconds; only of a server that was started with a probe and has an event loop. */
  eventLoopDelay?(): Promise<{ readonly p99Ms: number; readonly maxMs: number }>;
  /** Stops the processes and removes the data. */
  stop(): Promise<void>;
}

export interface StartOptions {
  /** Loads a probe of the event loop into it. @default false */
  readonly probed?: boolean;
}

/** The first GET that counts as an answer. Every cluster has this namespace. */
export const firstPath = "/api/v1/namespaces/default";
