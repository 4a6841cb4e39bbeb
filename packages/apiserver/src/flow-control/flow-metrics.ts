import type { Clock } from "@coxswain/runtime/clock";
import type { HistogramSeries, Metrics } from "@coxswain/runtime/metrics";
import { Watermark } from "../metrics/watermark.js";
import type { FlowTally } from "./flow-tally.js";
import { FlowTimes } from "./flow-times.js";
import { addLevelMetrics } from "./level-metrics.js";
import type { PriorityLevel } from "./priority-level.js";
import type { PriorityLevels } from "./priority-levels.js";
import { addTallyMetrics, ofFlow } from "./tally-metrics.js";
import { addUtilizationMetrics } from "./utilization-metrics.js";

const prefix = "apiserver_flowcontrol_";
const seconds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];

export interface FlowMetrics {
  /** The most requests that waited at once. */
  readonly waiting: { readonly readOnly: Watermark; readonly mutating: Watermark };
  /** Begins to measure a level. */
  followLevel(level: PriorityLevel): void;
  /** Begins to measure a flow. */
  follow(tally: FlowTally): void;
  of(tally: FlowTally): FlowTimes;
}

/** Upstream's metrics of priority and fairness. Most are numbers that the levels keep anyway, read when somebody asks. */
export function addFlowMetrics(metrics: Metrics, clock: Clock, priorities: () => PriorityLevels): FlowMetrics {
  addLevelMetrics(metrics, prefix, priorities);
  addTallyMetrics(metrics, prefix, priorities);
  const histograms = createHistograms(metrics);
  const waiting = { readOnly: new Watermark(clock), mutating: new Watermark(clock) };
  metrics.collectGauge(
    {
      name: "apiserver_current_inqueue_requests",
      help: "The most requests that waited at once in the last second.",
      labels: ["request_kind"],
      stability: "ALPHA",
    },
    (report) => {
      report(waiting.readOnly.highest, "readOnly");
      report(waiting.mutating.highest, "mutating");
    },
  );
  const times = new Map<FlowTally, FlowTimes>();
  const followLevel = addUtilizationMetrics(metrics, priorities);
  return {
    waiting,
    followLevel,
    of(tally) {
      let known = times.get(tally);
      if (!known) times.set(tally, (known = new FlowTimes(tally, histograms)));
      return known;
    },
    follow(tally) {
      let series: HistogramSeries | undefined;
      tally.onQueued = (length) => (series ??= histograms.lengths.with(tally.level, tally.schema)).observe(length);
    },
  };
}

function createHistograms(metrics: Metrics) {
  const waits = metrics.histogram({
    name: `${prefix}request_wait_duration_seconds`,
    help: "How long requests waited for their seats, in seconds.",
    labels: [...ofFlow, "execute"],
    buckets: seconds,
    stability: "BETA",
  });
  const executions = metrics.histogram({
    name: `${prefix}request_execution_seconds`,
    help: "How long requests kept their seats while they were served, in seconds.",
    labels: [...ofFlow, "type"],
    buckets: seconds,
    stability: "ALPHA",
  });
  const estimates = metrics.histogram({
    name: `${prefix}work_estimated_seats`,
    help: "How many seats requests were thought to need.",
    labels: ofFlow,
    buckets: [1, 2, 4, 8, 16, 32, 64, 100],
    stability: "ALPHA",
  });
  const watchers = metrics.histogram({
    name: `${prefix}watch_count_samples`,
    help: "How many watches the event of a write is sent to.",
    labels: ofFlow,
    buckets: [0, 1, 10, 100, 1000, 10000],
    stability: "ALPHA",
  });
  const lengths = metrics.histogram({
    name: `${prefix}request_queue_length_after_enqueue`,
    help: "How long queues were when a request had joined them.",
    labels: ofFlow,
    buckets: [0, 10, 25, 50, 100, 250, 500, 1000],
    stability: "ALPHA",
  });
  return { waits, executions, estimates, watchers, lengths };
}
