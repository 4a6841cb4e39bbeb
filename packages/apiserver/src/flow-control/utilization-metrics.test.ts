import { createMetrics } from "@coxswain/component/metrics";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { describe, expect, it } from "vitest";
import { Watermark } from "../metrics/watermark.js";
import { oneSeat } from "./fair-request.js";
import { FlowTally } from "./flow-tally.js";
import type { RequestDigest } from "./match-flow-schema.js";
import { PriorityLevel } from "./priority-level.js";
import type { PriorityLevels } from "./priority-levels.js";
import { QueueSet } from "./queue-set.js";
import { addReadWriteMetrics, addUtilizationMetrics } from "./utilization-metrics.js";

describe("metrics over time", () => {
  const limited = {
    type: "Limited",
    limited: { limitResponse: { type: "Queue", queuing: { queues: 2, queueLengthLimit: 5, handSize: 1 } } },
  } as const;

  it("a value counts as long as it lasts, in nanoseconds, also until it is read", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    const metrics = createMetrics({ countItself: false });
    const queueSet = new QueueSet({
      clock,
      config: { type: "queue", queues: 2, queueLengthLimit: 5 },
      concurrencyLimit: 2,
    });
    const level = new PriorityLevel("a", limited, queueSet);
    level.limits = { nominal: 4, min: 0, max: 4 };
    addUtilizationMetrics(metrics, () => ({ levels: new Map([["a", level]]) }) as unknown as PriorityLevels)(level);
    const start = () =>
      queueSet.start(
        { hand: [0], tally: new FlowTally("a", "s") } as unknown as Parameters<QueueSet["start"]>[0],
        { user: { name: "u", groups: [] } } as unknown as RequestDigest,
        oneSeat,
      );
    await clock.advance(1000);
    const first = start();
    start();
    start(); // waits: there are two seats
    await clock.advance(3000);
    if (typeof first !== "string") queueSet.finish(first);
    await clock.advance(2000);
    const text = metrics.text();
    for (const line of [
      'apiserver_flowcontrol_demand_seats_bucket{priority_level="a",le="0.2"} 1e+09',
      'apiserver_flowcontrol_demand_seats_bucket{priority_level="a",le="0.6"} 3e+09',
      'apiserver_flowcontrol_demand_seats_bucket{priority_level="a",le="0.8"} 6e+09',
      'apiserver_flowcontrol_demand_seats_count{priority_level="a"} 6e+09',
      'apiserver_flowcontrol_priority_level_request_utilization_sum{phase="waiting",priority_level="a"} 3e+08',
      'apiserver_flowcontrol_priority_level_seat_utilization_sum{phase="executing",priority_level="a"} 2.5e+09',
    ])
      expect(text.split("\n")).toContain(line);
    expect(queueSet.lastDispatch).toMatchObject({ any: true, s: queueSet.lastDispatch.sMax });
  });

  it("reads and writes are measured apart, as parts of all seats", async () => {
    const clock = createVirtualClock({ startMs: 0 });
    const metrics = createMetrics({ countItself: false });
    const marks = () => ({ readOnly: new Watermark(clock), mutating: new Watermark(clock) });
    const executing = marks();
    addReadWriteMetrics(metrics, {
      priorities: { levels: new Map() } as unknown as PriorityLevels,
      serverSeats: 10,
      executing,
      waiting: marks(),
    });
    executing.mutating.add(5);
    await clock.advance(2000);
    executing.mutating.add(-5);
    await clock.advance(2000);
    const text = metrics.text();
    expect(text).toContain(
      'apiserver_flowcontrol_read_vs_write_current_requests_sum{phase="executing",request_kind="mutating"} 1e+09',
    );
    expect(text).toContain(
      'apiserver_flowcontrol_read_vs_write_current_requests_count{phase="executing",request_kind="readOnly"} 4e+09',
    );
  });
});
