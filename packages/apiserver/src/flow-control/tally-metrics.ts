import type { Metrics } from "@coxswain/runtime/metrics";
import type { FlowTally, RefusalReason } from "./flow-tally.js";
import type { PriorityLevels } from "./priority-levels.js";

/** The labels of a flow schema's metrics. */
export const ofFlow = ["priority_level", "flow_schema"];

interface TallyMetric {
  readonly kind: "gauge" | "counter";
  readonly name: string;
  readonly help: string;
  readonly stability: "ALPHA" | "BETA";
  read(tally: FlowTally): number;
  has(tally: FlowTally): boolean;
}

/** A schema without requests has no samples. */
const isUsed = ({ dispatched }: FlowTally): boolean => dispatched > 0;
const wasQueued = ({ queued }: FlowTally): boolean => queued > 0;

const tallyMetrics: readonly TallyMetric[] = [
  {
    kind: "gauge",
    name: "current_executing_requests",
    help: "Requests that are being served.",
    stability: "BETA",
    read: ({ executing }) => executing,
    has: isUsed,
  },
  {
    kind: "gauge",
    name: "current_executing_seats",
    help: "Seats that are taken.",
    stability: "BETA",
    read: ({ executingSeats }) => executingSeats,
    has: isUsed,
  },
  {
    kind: "gauge",
    name: "current_inqueue_requests",
    help: "Requests that wait in a queue.",
    stability: "BETA",
    read: ({ waiting }) => waiting,
    has: wasQueued,
  },
  {
    kind: "gauge",
    name: "current_inqueue_seats",
    help: "Seats that those who wait in a queue will take.",
    stability: "ALPHA",
    read: ({ waitingSeats }) => waitingSeats,
    has: wasQueued,
  },
  {
    kind: "counter",
    name: "dispatched_requests_total",
    help: "Requests that were let in.",
    stability: "BETA",
    read: ({ dispatched }) => dispatched,
    has: isUsed,
  },
  {
    kind: "counter",
    name: "request_dispatch_no_accommodation_total",
    help: "How often the next request found too few seats free.",
    stability: "ALPHA",
    read: ({ noAccommodation }) => noAccommodation,
    has: ({ noAccommodation }) => noAccommodation > 0,
  },
];

/** What is counted of each flow schema, read when somebody asks. */
export function addTallyMetrics(metrics: Metrics, prefix: string, priorities: () => PriorityLevels): void {
  for (const { kind, name, help, stability, read, has } of tallyMetrics) {
    const collect = kind === "gauge" ? metrics.collectGauge : metrics.collectCounter;
    collect.call(metrics, { name: prefix + name, help, labels: ofFlow, stability }, (report) => {
      for (const tally of priorities().tallies) if (has(tally)) report(read(tally), tally.level, tally.schema);
    });
  }
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
}
