import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import type { ZoneCounts } from "./disruption.js";

/** What the node lifecycle controller counts about itself, under upstream's names (pkg/controller/nodelifecycle/metrics.go). */
export interface NodeMetrics {
  zone(zone: string, counts: ZoneCounts): void;
  /** A node was tainted, so that its pods leave. */
  evicted(zone: string): void;
  /** A node was looked at. */
  updated(seconds: number): void;
}

export function createNodeMetrics(metrics: Metrics): NodeMetrics {
  const gauge = (name: string, help: string) =>
    metrics.gauge({ name: `node_collector_${name}`, help, stability: "ALPHA", labels: ["zone"] });
  const health = gauge("zone_health", "The percentage of nodes of a zone that are ready");
  const size = gauge("zone_size", "The number of nodes of a zone");
  const unhealthy = gauge("unhealthy_nodes_in_zone", "The number of nodes of a zone that are not ready");
  const evictions = metrics.counter({
    name: "node_collector_evictions_total",
    help: "The number of nodes whose pods were made to leave",
    stability: "STABLE",
    labels: ["zone"],
  });
  const durations = metrics.histogram({
    name: "node_collector_update_node_health_duration_seconds",
    help: "The time it took to look at a node",
    stability: "ALPHA",
    buckets: exponentialBuckets(0.001, 4, 8),
  });
  return {
    zone(zone, { ready, notReady }) {
      const total = ready + notReady;
      size.with(zone).set(total);
      unhealthy.with(zone).set(notReady);
      health.with(zone).set(total === 0 ? 100 : (100 * ready) / total);
      evictions.with(zone);
    },
    evicted: (zone) => evictions.with(zone).add(1),
    updated: (seconds) => durations.with().observe(seconds),
  };
}
