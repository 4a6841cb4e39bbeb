import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";

/** What a work queue reports; `@coxswain/client/queue` has the same type as QueueMetrics. */
interface QueueReport {
  depth(size: number): void;
  added(): void;
  retried(): void;
  waited(seconds: number): void;
  worked(seconds: number): void;
}

interface QueueGauges {
  unfinishedWorkSeconds(): number;
  longestRunningProcessorSeconds(): number;
}

/** Upstream's metrics of work queues, each with the label `name`. */
export function createQueueMetrics(metrics: Metrics): (name: string, gauges: QueueGauges) => QueueReport {
  const labels = ["name"];
  const stability = "ALPHA";
  const buckets = exponentialBuckets(1e-8, 10, 10);
  const depth = metrics.gauge({ name: "workqueue_depth", help: "How many items wait.", labels, stability });
  const adds = metrics.counter({ name: "workqueue_adds_total", help: "Items that were added.", labels, stability });
  const retries = metrics.counter({
    name: "workqueue_retries_total",
    help: "Items that were added again after a failure.",
    labels,
    stability,
  });
  const waits = metrics.histogram({
    name: "workqueue_queue_duration_seconds",
    help: "How long items waited.",
    labels,
    stability,
    buckets,
  });
  const works = metrics.histogram({
    name: "workqueue_work_duration_seconds",
    help: "How long items were worked on.",
    labels,
    stability,
    buckets,
  });
  const queues = new Map<string, QueueGauges>();
  const collect = (name: string, help: string, read: (gauges: QueueGauges) => number): void =>
    metrics.collectGauge({ name, help, labels, stability }, (report) => {
      for (const [queue, gauges] of queues) report(read(gauges), queue);
    });
  collect("workqueue_unfinished_work_seconds", "Seconds of work under way, summed over items.", (gauges) =>
    gauges.unfinishedWorkSeconds(),
  );
  collect("workqueue_longest_running_processor_seconds", "Seconds the longest item has been worked on.", (gauges) =>
    gauges.longestRunningProcessorSeconds(),
  );
  return (name, gauges) => {
    queues.set(name, gauges);
    const series = {
      depth: depth.with(name),
      adds: adds.with(name),
      retries: retries.with(name),
      waits: waits.with(name),
      works: works.with(name),
    };
    return {
      depth: (size) => series.depth.set(size),
      added: () => series.adds.add(1),
      retried: () => series.retries.add(1),
      waited: (seconds) => series.waits.observe(seconds),
      worked: (seconds) => series.works.observe(seconds),
    };
  };
}
