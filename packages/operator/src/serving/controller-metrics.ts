import type { QueueMetricsProvider } from "@coxswain/client/queue";
import { exponentialBuckets, type Metrics } from "@coxswain/runtime/metrics";
import type { ReconcileObserver } from "../controller/index.js";

const stability = "none";
// controller-runtime's.
const reconcileBuckets = [
  0.005, 0.01, 0.025, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7, 0.8, 0.9, 1, 1.25, 1.5, 1.75, 2,
  2.5, 3, 3.5, 4, 4.5, 5, 6, 7, 8, 9, 10, 15, 20, 25, 30, 40, 50, 60,
];

/** controller-runtime's metrics of controllers, under its names. */
export function countReconciles(metrics: Metrics): ReconcileObserver {
  const labels = ["controller"];
  const counter = (name: string, help: string, labelled = labels) =>
    metrics.counter({ name: `controller_runtime_${name}`, help, labels: labelled, stability });
  const total = counter("reconcile_total", "Total number of reconciliations per controller", ["controller", "result"]);
  const errors = counter("reconcile_errors_total", "Total number of reconciliation errors per controller");
  const terminal = counter(
    "terminal_reconcile_errors_total",
    "Total number of terminal reconciliation errors per controller",
  );
  const timeouts = counter("reconcile_timeouts_total", "Total number of reconciliation timeouts per controller");
  // JavaScript has no panics beside errors: the series is there, at zero, for dashboards.
  const panics = counter("reconcile_panics_total", "Total number of reconciliation panics per controller");
  const time = metrics.histogram({
    name: "controller_runtime_reconcile_time_seconds",
    help: "Length of time per reconciliation per controller",
    labels,
    stability,
    buckets: reconcileBuckets,
  });
  const workers = metrics.gauge({
    name: "controller_runtime_max_concurrent_reconciles",
    help: "Maximum number of concurrent reconciles per controller",
    labels,
    stability,
  });
  const active = metrics.gauge({
    name: "controller_runtime_active_workers",
    help: "Number of currently used workers per controller",
    labels,
    stability,
  });
  return {
    controllerStarted(controller, concurrency) {
      for (const result of ["error", "requeue_after", "requeue", "success"]) total.with(controller, result).add(0);
      for (const each of [errors, terminal, timeouts, panics]) each.with(controller).add(0);
      workers.with(controller).set(concurrency);
      active.with(controller).set(0);
    },
    active: (controller, change) => active.with(controller).add(change),
    reconciled({ controller, outcome, terminal: final, timedOut, durationMs }) {
      total.with(controller, outcome).add(1);
      if (outcome === "error") errors.of(controller).add(1);
      if (final) terminal.of(controller).add(1);
      if (timedOut) timeouts.of(controller).add(1);
      time.of(controller).observe(durationMs / 1000);
    },
  };
}

/** Upstream's metrics of work queues, with controller-runtime's labels. */
export function countQueues(metrics: Metrics): QueueMetricsProvider {
  const labels = ["name", "controller"];
  const buckets = exponentialBuckets(1e-8, 10, 12);
  const depth = metrics.gauge({
    name: "workqueue_depth",
    help: "Current depth of workqueue by workqueue and priority",
    labels: [...labels, "priority"],
    stability,
  });
  const adds = metrics.counter({
    name: "workqueue_adds_total",
    help: "Total number of adds handled by workqueue",
    labels,
    stability,
  });
  const retries = metrics.counter({
    name: "workqueue_retries_total",
    help: "Total number of items added to the workqueue with a non-zero delay (rate-limited requeues, explicit RequeueAfter or AddAfter calls)",
    labels,
    stability,
  });
  const histogram = (name: string, help: string) => metrics.histogram({ name, help, labels, stability, buckets });
  const waits = histogram(
    "workqueue_queue_duration_seconds",
    "How long in seconds an item stays in workqueue before being requested",
  );
  const works = histogram(
    "workqueue_work_duration_seconds",
    "How long in seconds processing an item from workqueue takes.",
  );
  const queues = new Map<string, Parameters<QueueMetricsProvider>[1]>();
  metrics.collectGauge(
    {
      name: "workqueue_unfinished_work_seconds",
      help: "How many seconds of work has been done that is in progress and hasn't been observed by work_duration.",
      labels,
      stability,
    },
    (report) => {
      for (const [name, gauges] of queues) report(gauges.unfinishedWorkSeconds(), name, name);
    },
  );
  metrics.collectGauge(
    {
      name: "workqueue_longest_running_processor_seconds",
      help: "How many seconds has the longest running processor for workqueue been running.",
      labels,
      stability,
    },
    (report) => {
      for (const [name, gauges] of queues) report(gauges.longestRunningProcessorSeconds(), name, name);
    },
  );
  return (name, gauges) => {
    queues.set(name, gauges);
    const [depths, added, retried, waited, worked] = [
      depth.with(name, name, ""),
      adds.with(name, name),
      retries.with(name, name),
      waits.with(name, name),
      works.with(name, name),
    ];
    return {
      depth: (size) => depths.set(size),
      added: () => added.add(1),
      retried: () => retried.add(1),
      waited: (seconds) => waited.observe(seconds),
      worked: (seconds) => worked.observe(seconds),
    };
  };
}
