import { type Counter, exponentialBuckets, type Gauge, type Histogram, type Metrics } from "@coxswain/runtime/metrics";

/** kube-proxy's metrics, under its names (pkg/proxy/metrics/metrics.go). Labels are `ip_family`, unless noted. */
export interface ProxyMetrics {
  readonly syncSeconds: Histogram;
  readonly fullSyncSeconds: Histogram;
  readonly partialSyncSeconds: Histogram;
  readonly lastSynced: Gauge;
  readonly lastQueued: Gauge;
  /** From a pod's change to the rules, by what the endpoints controller has noted. */
  readonly programmingSeconds: Histogram;
  /** Without labels, as the next three. */
  readonly endpointChangesPending: Gauge;
  readonly endpointChanges: Counter;
  readonly serviceChangesPending: Gauge;
  readonly serviceChanges: Counter;
  readonly syncFailures: Counter;
  readonly cleanupFailures: Counter;
  /** By traffic_policy and ip_family. */
  readonly noLocalEndpoints: Gauge;
  readonly conntrackSeconds: Histogram;
  readonly conntrackDeleted: Counter;
}

/** A quarter and half a second, each second to a minute, five seconds to two minutes, half minutes to five. */
const programmingBuckets: readonly number[] = [
  0.25,
  0.5,
  ...linear(1, 1, 59),
  ...linear(60, 5, 12),
  ...linear(120, 30, 7),
];

function linear(start: number, width: number, count: number): number[] {
  return Array.from({ length: count }, (_, at) => start + at * width);
}

export function createProxyMetrics(metrics: Metrics): ProxyMetrics {
  const about = (name: string, help: string, labels: readonly string[] = ["ip_family"]) => ({
    name: `kubeproxy_${name}`,
    help,
    labels,
    stability: "ALPHA" as const,
  });
  const buckets = exponentialBuckets(0.001, 2, 15);
  const seconds = (name: string, help: string): Histogram => metrics.histogram({ ...about(name, help), buckets });
  const sync = "sync_proxy_rules";
  return {
    syncSeconds: seconds(`${sync}_duration_seconds`, "SyncProxyRules latency in seconds"),
    fullSyncSeconds: seconds(
      "sync_full_proxy_rules_duration_seconds",
      "SyncProxyRules latency in seconds for full resyncs",
    ),
    partialSyncSeconds: seconds(
      "sync_partial_proxy_rules_duration_seconds",
      "SyncProxyRules latency in seconds for partial resyncs",
    ),
    lastSynced: metrics.gauge(
      about(`${sync}_last_timestamp_seconds`, "The last time proxy rules were successfully synced"),
    ),
    lastQueued: metrics.gauge(
      about(`${sync}_last_queued_timestamp_seconds`, "The last time a sync of proxy rules was queued"),
    ),
    programmingSeconds: metrics.histogram({
      ...about("network_programming_duration_seconds", "In Cluster Network Programming Latency in seconds"),
      buckets: programmingBuckets,
    }),
    endpointChangesPending: metrics.gauge(
      about(`${sync}_endpoint_changes_pending`, "Pending proxy rules Endpoint changes", []),
    ),
    endpointChanges: metrics.counter(
      about(`${sync}_endpoint_changes_total`, "Cumulative proxy rules Endpoint changes", []),
    ),
    serviceChangesPending: metrics.gauge(
      about(`${sync}_service_changes_pending`, "Pending proxy rules Service changes", []),
    ),
    serviceChanges: metrics.counter(
      about(`${sync}_service_changes_total`, "Cumulative proxy rules Service changes", []),
    ),
    syncFailures: metrics.counter(
      about(`${sync}_nftables_sync_failures_total`, "Cumulative proxy nftables sync failures"),
    ),
    cleanupFailures: metrics.counter(
      about(`${sync}_nftables_cleanup_failures_total`, "Cumulative proxy nftables cleanup failures"),
    ),
    noLocalEndpoints: metrics.gauge(
      about(`${sync}_no_local_endpoints_total`, "Number of services with a Local traffic policy and no endpoints", [
        "traffic_policy",
        "ip_family",
      ]),
    ),
    conntrackSeconds: seconds(
      "conntrack_reconciler_sync_duration_seconds",
      "ReconcileConntrackFlowsLatency latency in seconds",
    ),
    conntrackDeleted: metrics.counter(
      about("conntrack_reconciler_deleted_entries_total", "Cumulative conntrack flows deleted by conntrack reconciler"),
    ),
  };
}
