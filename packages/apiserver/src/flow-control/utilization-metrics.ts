import type { Metrics } from "@coxswain/runtime/metrics";
import type { Watermark } from "../metrics/watermark.js";
import type { PriorityLevel } from "./priority-level.js";
import type { PriorityLevels } from "./priority-levels.js";

const prefix = "apiserver_flowcontrol_";
const nanosecondsPerMs = 1e6;

/**
 * Histograms over time: a value counts for as long as it lasts, in nanoseconds. Answers how to begin with a level. Upstream calls these
 * metrics experimental in their help.
 */
export function addUtilizationMetrics(
  metrics: Metrics,
  priorities: () => PriorityLevels,
): (level: PriorityLevel) => void {
  const beforeRead = (): void => {
    for (const { queueSet } of priorities().levels.values()) queueSet.catchUp();
  };
  const histogram = (name: string, help: string, labels: readonly string[], buckets: readonly number[]) =>
    metrics.histogram({
      name: prefix + name,
      help: `EXPERIMENTAL: [ALPHA] ${help}`,
      labels: [...labels],
      buckets: [...buckets],
      stability: "none",
      beforeRead,
    });
  const requests = histogram(
    "priority_level_request_utilization",
    "Requests of a priority level, as a part of how many may wait or run, over time.",
    ["phase", "priority_level"],
    [0, 0.001, 0.003, 0.01, 0.03, 0.1, 0.25, 0.5, 0.75, 1],
  );
  const seats = histogram(
    "priority_level_seat_utilization",
    "Seats that are taken, as a part of those that a priority level has by right, over time.",
    ["priority_level", "phase"],
    [0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
  );
  const demands = histogram(
    "demand_seats",
    "Seats that a priority level could use, as a part of those that it has by right, over time.",
    ["priority_level"],
    [0.2, 0.4, 0.6, 0.8, 1, 1.2, 1.4, 1.7, 2, 2.8, 4, 6],
  );
  return (level) => {
    const { name, queueSet } = level;
    const waiting = requests.with("waiting", name);
    const executing = requests.with("executing", name);
    const taken = seats.with(name, "executing");
    const wanted = demands.with(name);
    queueSet.onPassed = (ms) => {
      const ns = Math.round(ms * nanosecondsPerMs);
      const ofSeats = Math.max(1, level.limits.nominal);
      waiting.observe(queueSet.waiting / placesOf(level), ns);
      executing.observe(queueSet.executing / ofSeats, ns);
      taken.observe(queueSet.seatsInUse / ofSeats, ns);
      wanted.observe((queueSet.seatsInUse + queueSet.waitingSeats) / ofSeats, ns);
    };
  };
}

/** The same of reads and of writes, as parts of how many requests may run, and wait, at all levels together. */
export function addReadWriteMetrics(
  metrics: Metrics,
  {
    priorities,
    serverSeats,
    executing,
    waiting,
  }: { priorities: PriorityLevels; serverSeats: number; executing: ByKind; waiting: ByKind },
): void {
  const followed: Watermark[] = [];
  const histogram = metrics.histogram({
    name: `${prefix}read_vs_write_current_requests`,
    help: "EXPERIMENTAL: [ALPHA] Requests that read or write, as a part of how many may wait or run, over time.",
    labels: ["phase", "request_kind"],
    buckets: [0, 0.001, 0.01, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 1],
    stability: "none",
    beforeRead: () => followed.forEach((watermark) => watermark.catchUp()),
  });
  const follow = (phase: string, counts: ByKind, limit: () => number): void => {
    for (const kind of ["readOnly", "mutating"] as const) {
      const series = histogram.with(phase, kind);
      followed.push(counts[kind]);
      counts[kind].onPassed = (ms, current) =>
        series.observe(current === 0 ? 0 : current / limit(), Math.round(ms * nanosecondsPerMs));
    }
  };
  follow("executing", executing, () => serverSeats);
  follow(
    "waiting",
    waiting,
    () =>
      [...priorities.levels.values()].reduce(
        (sum, level) => sum + (level.queueSet.config.type === "queue" ? placesOf(level) : 0),
        0,
      ) || 1,
  );
}

interface ByKind {
  readonly readOnly: Watermark;
  readonly mutating: Watermark;
}

/** How many may wait. */
function placesOf({ queueSet: { config } }: PriorityLevel): number {
  return config.type === "queue" ? Math.max(1, config.queues * config.queueLengthLimit) : 1;
}
