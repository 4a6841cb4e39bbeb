import type { Metrics } from "@coxswain/runtime/metrics";
import type { PriorityLevel } from "./priority-level.js";
import type { PriorityLevels } from "./priority-levels.js";
import type { QueueSet } from "./queue-set.js";
import { toSeconds } from "./seat-seconds.js";

interface LevelGauge {
  readonly name: string;
  readonly help: string;
  /** @default ALPHA */
  readonly stability?: "BETA";
  read(level: PriorityLevel): number;
}

/** One sample for each priority level. */
const levelGauges: readonly LevelGauge[] = [
  {
    name: "nominal_limit_seats",
    help: "Seats that a priority level has by right.",
    stability: "BETA",
    read: ({ limits }) => limits.nominal,
  },
  {
    name: "lower_limit_seats",
    help: "Seats that a priority level never lends.",
    read: ({ limits }) => limits.min,
  },
  {
    name: "upper_limit_seats",
    help: "The most seats that a priority level may have with what it borrows.",
    read: ({ limits }) => limits.max,
  },
  { name: "current_limit_seats", help: "Seats that a priority level has now.", read: ({ current }) => current },
  { name: "target_seats", help: "Seats that a priority level should have.", read: ({ target }) => target },
  {
    name: "demand_seats_high_watermark",
    help: "The most seats that a priority level could have used in the last period.",
    read: ({ queueSet }) => queueSet.demand.highWatermark,
  },
  {
    name: "demand_seats_average",
    help: "Seats that a priority level could have used in the last period, on average over time.",
    read: ({ queueSet }) => queueSet.demand.average,
  },
  {
    name: "demand_seats_stdev",
    help: "How much the demand for seats varied in the last period.",
    read: ({ queueSet }) => queueSet.demand.deviation,
  },
  {
    name: "demand_seats_smoothed",
    help: "The demand for seats over several periods.",
    read: ({ queueSet }) => queueSet.demand.smoothed,
  },
  {
    name: "current_r",
    help: "How far a priority level would be if it served its queues evenly, in seat-seconds.",
    read: ({ queueSet }) => toSeconds(queueSet.currentR),
  },
];

interface DispatchGauge {
  readonly name: string;
  readonly help: string;
  /** One value for each bound. */
  readonly bounds?: readonly string[];
  read(last: QueueSet["lastDispatch"]): readonly number[];
}

/** Of the request that last left a queue of a level, once one has. */
const dispatchGauges: readonly DispatchGauge[] = [
  {
    name: "dispatch_r",
    help: "How far a priority level was when a request last left a queue, in seat-seconds.",
    read: ({ r }) => [r],
  },
  {
    name: "latest_s",
    help: "Where the request that last left a queue stood, in seat-seconds.",
    read: ({ s }) => [s],
  },
  {
    name: "next_s_bounds",
    help: "Where the first request of each queue stood then, at least and at most, in seat-seconds.",
    bounds: ["min", "max"],
    read: ({ sMin, sMax }) => [sMin, sMax],
  },
  {
    name: "next_discounted_s_bounds",
    help: "The same, less the work that the queue has under way.",
    bounds: ["min", "max"],
    read: ({ discountedMin, discountedMax }) => [discountedMin, discountedMax],
  },
];

/** What priority levels know of themselves, read when somebody asks. */
export function addLevelMetrics(metrics: Metrics, prefix: string, priorities: () => PriorityLevels): void {
  for (const { name, help, stability = "ALPHA", read } of levelGauges)
    metrics.collectGauge({ name: prefix + name, help, labels: ["priority_level"], stability }, (report) => {
      for (const level of priorities().levels.values()) report(read(level), level.name);
    });
  for (const { name, help, bounds = [], read } of dispatchGauges) {
    const labels = ["priority_level", ...(bounds.length > 0 ? ["bound"] : [])];
    metrics.collectGauge({ name: prefix + name, help, labels, stability: "ALPHA" }, (report) => {
      for (const { name: level, queueSet } of priorities().levels.values())
        if (queueSet.lastDispatch.any)
          for (const [at, value] of read(queueSet.lastDispatch).entries())
            report(toSeconds(value), level, ...bounds.slice(at, at + 1));
    });
  }
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
}
