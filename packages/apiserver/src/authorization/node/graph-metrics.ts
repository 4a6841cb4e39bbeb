import type { Clock } from "@coxswain/runtime/clock";
import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";

/** Does something to the graph, and measures it under upstream's name for it. */
export type MeasureGraph = (
  operation: `${"Add" | "Delete"}${"Pod" | "PV" | "VolumeAttachment" | "ResourceSlice"}`,
  work: () => void,
) => void;

export function createGraphMetrics(metrics: Metrics, clock: Pick<Clock, "monotonic">): MeasureGraph {
  const times = metrics.histogram({
    name: "node_authorizer_graph_actions_duration_seconds",
    help: "How long changes to the graph of the node authorizer took, in seconds.",
    labels: ["operation"],
    buckets: exponentialBuckets(0.0001, 2, 12),
    stability: "ALPHA",
  });
  return (operation, work) => {
    const began = clock.monotonic();
    work();
    times.with(operation).observe((clock.monotonic() - began) / 1000);
  };
}
