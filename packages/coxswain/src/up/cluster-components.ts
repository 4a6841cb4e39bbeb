import type { UsageReader } from "@coxswain/kubelet";

/** What works on the API server of a local cluster, in its process or in others. */
export interface ClusterComponents {
  /** Resolves when all of them work and all nodes are registered. */
  readonly ready: Promise<void>;
  /** Whether they work now. */
  readonly areReady: boolean;
  /** Names of the controllers that run; empty before they are ready. */
  readonly controllers: readonly string[];
  /** What simulated nodes and their pods use. */
  readonly usage: UsageReader;
  stop(): Promise<void>;
}
