import type { Clock } from "@coxswain/runtime/clock";
import type { HistogramSeries, Metrics } from "@coxswain/runtime/metrics";
import { Watermark } from "../metrics/watermark.js";
import type { FlowTally, RefusalReason } from "./flow-tally.js";
import { FlowTimes } from "./flow-times.js";
import type { PriorityLevel } from "./priority-level.js";
import type { PriorityLevels } from "./priority-levels.js";
import type { QueueSet } from "./queue-set.js";
import { toSeconds } from "./seat-seconds.js";
import { addUtilizationMetrics } from "./utilization-metrics.js";

const prefix = "apiserver_flowcontrol_";
const seconds = [0, 0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30];
const ofFlow = ["priority_level", "flow_schema"];

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
  const level = (
    name: string,
    help: string,
    stability: "ALPHA" | "BETA",
    read: (level: PriorityLevel) => number,
  ): void =>
    metrics.collectGauge({ name: prefix + name, help, labels: ["priority_level"], stability }, (report) => {
      for (const each of priorities().levels.values()) report(read(each), each.name);
    });
  level("nominal_limit_seats", "Seats that a priority level has by right.", "BETA", ({ limits }) => limits.nominal);
  level("lower_limit_seats", "Seats that a priority level never lends.", "ALPHA", ({ limits }) => limits.min);
  level(
    "upper_limit_seats",
    "The most seats that a priority level may have with what it borrows.",
    "ALPHA",
    ({ limits }) => limits.max,
  );
  level("current_limit_seats", "Seats that a priority level has now.", "ALPHA", ({ current }) => current);
  level("target_seats", "Seats that a priority level should have.", "ALPHA", ({ target }) => target);
  level(
    "demand_seats_high_watermark",
    "The most seats that a priority level could have used in the last period.",
    "ALPHA",
    ({ queueSet }) => queueSet.demand.highWatermark,
  );
  level(
    "demand_seats_average",
    "Seats that a priority level could have used in the last period, on average over time.",
    "ALPHA",
    ({ queueSet }) => queueSet.demand.average,
  );
  level(
    "demand_seats_stdev",
    "How much the demand for seats varied in the last period.",
    "ALPHA",
    ({ queueSet }) => queueSet.demand.deviation,
  );
  level(
    "demand_seats_smoothed",
    "The demand for seats over several periods.",
    "ALPHA",
    ({ queueSet }) => queueSet.demand.smoothed,
  );
  const dispatch = (
    name: string,
    help: string,
    read: (last: QueueSet["lastDispatch"]) => readonly number[],
    bounds: readonly string[],
  ): void =>
    metrics.collectGauge(
      {
        name: prefix + name,
        help,
        labels: ["priority_level", ...(bounds.length > 0 ? ["bound"] : [])],
        stability: "ALPHA",
      },
      (report) => {
        for (const { name: of, queueSet } of priorities().levels.values())
          if (queueSet.lastDispatch.any)
            for (const [at, value] of read(queueSet.lastDispatch).entries())
              report(toSeconds(value), of, ...bounds.slice(at, at + 1));
      },
    );
  dispatch(
    "dispatch_r",
    "How far a priority level was when a request last left a queue, in seat-seconds.",
    ({ r }) => [r],
    [],
  );
  dispatch("latest_s", "Where the request that last left a queue stood, in seat-seconds.", ({ s }) => [s], []);
  dispatch(
    "next_s_bounds",
    "Where the first request of each queue stood then, at least and at most, in seat-seconds.",
    ({ sMin, sMax }) => [sMin, sMax],
    ["min", "max"],
  );
  dispatch(
    "next_discounted_s_bounds",
    "The same, less the work that the queue has under way.",
    ({ discountedMin, discountedMax }) => [discountedMin, discountedMax],
    ["min", "max"],
  );
  level(
    "current_r",
    "How far a priority level would be if it served its queues evenly, in seat-seconds.",
    "ALPHA",
    ({ queueSet }) => toSeconds(queueSet.currentR),
  );
  metrics.collectGauge(
    {
      name: `${prefix}seat_fair_frac`,
      help: "The fraction of their demand that priority levels get.",
      labels: [],
      stability: "ALPHA",
    },
    (report) => report(priorities().fairShare),
  );
  metrics.collectCounter(
    {
      name: `${prefix}epoch_advance_total`,
      help: "How often a priority level's progress was set back.",
      labels: ["priority_level", "success"],
      stability: "ALPHA",
    },
    (report) => {
      for (const { name, queueSet } of priorities().levels.values())
        if (queueSet.epochs > 0) report(queueSet.epochs, name, "true");
    },
  );
  const flow = (
    name: string,
    help: string,
    stability: "ALPHA" | "BETA",
    read: (tally: FlowTally) => number,
    has: (tally: FlowTally) => boolean = isUsed,
  ): void =>
    metrics.collectGauge({ name: prefix + name, help, labels: ofFlow, stability }, (report) => {
      for (const tally of priorities().tallies) if (has(tally)) report(read(tally), tally.level, tally.schema);
    });
  flow("current_executing_requests", "Requests that are being served.", "BETA", ({ executing }) => executing);
  flow("current_executing_seats", "Seats that are taken.", "BETA", ({ executingSeats }) => executingSeats);
  flow("current_inqueue_requests", "Requests that wait in a queue.", "BETA", ({ waiting }) => waiting, wasQueued);
  flow(
    "current_inqueue_seats",
    "Seats that those who wait in a queue will take.",
    "ALPHA",
    ({ waitingSeats }) => waitingSeats,
    wasQueued,
  );
  const counted = (name: string, help: string, stability: "ALPHA" | "BETA", read: (tally: FlowTally) => number): void =>
    metrics.collectCounter({ name: prefix + name, help, labels: ofFlow, stability }, (report) => {
      for (const tally of priorities().tallies) if (read(tally) > 0) report(read(tally), tally.level, tally.schema);
    });
  counted("dispatched_requests_total", "Requests that were let in.", "BETA", ({ dispatched }) => dispatched);
  counted(
    "request_dispatch_no_accommodation_total",
    "How often the next request found too few seats free.",
    "ALPHA",
    ({ noAccommodation }) => noAccommodation,
  );
  metrics.collectCounter(
    {
      name: `${prefix}rejected_requests_total`,
      help: "Requests that were refused, and why.",
      labels: [...ofFlow, "reason"],
      stability: "BETA",
    },
    (report) => {
      for (const tally of priorities().tallies)
        for (const [reason, count] of Object.entries(tally.refused) as [RefusalReason, number][])
          if (count > 0) report(count, tally.level, tally.schema, reason);
    },
  );
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
  const histograms = { waits, executions, estimates, watchers };
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
      tally.onQueued = (length) => (series ??= lengths.with(tally.level, tally.schema)).observe(length);
    },
  };
}

/** A schema without requests has no samples. */
const isUsed = ({ dispatched }: FlowTally): boolean => dispatched > 0;
const wasQueued = ({ queued }: FlowTally): boolean => queued > 0;
