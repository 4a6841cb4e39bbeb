import type { Client } from "@coxswain/client";
import { type ForwardOptions, type RunningDns, startDns } from "@coxswain/dns";
import { childRuntime, type Runtime } from "@coxswain/runtime";

/** The domain of services in a cluster of one process. */
export const clusterDomain = "cluster.local";

export interface ClusterDnsOptions {
  readonly runtime: Runtime;
  readonly client: Client;
  /** @default other names are not resolved */
  readonly forward?: ForwardOptions;
}

/** DNS of a cluster in this process; it listens nowhere before it is asked to. */
export const startClusterDns = ({ runtime, client, forward }: ClusterDnsOptions): RunningDns =>
  startDns({
    runtime: childRuntime(runtime, { component: "dns" }),
    client,
    zones: { domain: clusterDomain, ttl: 5, pods: "insecure", localAddresses: [] },
    forward: forward ?? { servers: [], stubDomains: new Map() },
    clientQueriesPerSecond: 20_000,
    metricsName: "dns://127.0.0.1",
  });
