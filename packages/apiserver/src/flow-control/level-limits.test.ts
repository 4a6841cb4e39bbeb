import type { PriorityLevelConfigurationSpec } from "@coxswain/api/flowcontrol/v1";
import { describe, expect, it } from "vitest";
import { adjustLimits, type LevelDemand, maxSeatsPerRequest, nominalLimits } from "./level-limits.js";

const limited = (
  nominalConcurrencyShares: number,
  lendablePercent: number,
  borrowingLimitPercent?: number,
): PriorityLevelConfigurationSpec => ({
  type: "Limited",
  limited: {
    nominalConcurrencyShares,
    lendablePercent,
    ...(borrowingLimitPercent !== undefined && { borrowingLimitPercent }),
    limitResponse: { type: "Queue", queuing: { queues: 128, handSize: 6, queueLengthLimit: 50 } },
  },
});
const level = (
  nominal: number,
  min: number,
  max: number,
  demand: { highest?: number; smoothed?: number } = {},
  isExempt = false,
): LevelDemand => ({
  isExempt,
  limits: { nominal, min, max },
  highWatermark: demand.highest ?? 0,
  smoothed: demand.smoothed ?? demand.highest ?? 0,
  current: nominal,
});

describe("seats of priority levels", () => {
  it("by shares, as kube-apiserver gives them to its own levels with 600 seats", () => {
    const shares = {
      exempt: { type: "Exempt" as const, exempt: { nominalConcurrencyShares: 0, lendablePercent: 0 } },
      "leader-election": limited(10, 0),
      "node-high": limited(40, 25),
      system: limited(30, 33),
      "workload-high": limited(40, 50),
      "workload-low": limited(100, 90),
      "global-default": limited(20, 50),
      "catch-all": limited(5, 0),
    };
    const limits = nominalLimits(new Map(Object.entries(shares)), 600);
    expect(Object.fromEntries([...limits].map(([name, { nominal, min, max }]) => [name, [nominal, min, max]]))).toEqual(
      {
        exempt: [0, 0, 600],
        "leader-election": [25, 25, 625],
        "node-high": [98, 73, 698],
        system: [74, 50, 674],
        "workload-high": [98, 49, 698],
        "workload-low": [245, 24, 845],
        "global-default": [49, 24, 649],
        "catch-all": [13, 13, 613],
      },
    );
  });
  it("a request holds no more than a seventh of a level, or what its hand of queues leaves", () => {
    expect([49, 245, 13, 2].map((nominal) => maxSeatsPerRequest(limited(1, 0), { nominal, min: 0, max: 0 }))).toEqual([
      8, 37, 2, 1,
    ]);
    expect(maxSeatsPerRequest({ type: "Exempt", exempt: {} }, { nominal: 10, min: 0, max: 0 })).toBeUndefined();
  });
  it("a level that needs nothing lends what it may", () =>
    expect(adjustLimits([level(50, 25, 150, { highest: 200, smoothed: 200 }), level(50, 20, 150)]).current).toEqual([
      80, 20,
    ]));
  it("no level gets more than it may borrow", () =>
    expect(adjustLimits([level(50, 25, 60, { highest: 200, smoothed: 200 }), level(50, 20, 150)]).current).toEqual([
      60, 40,
    ]));
  it("two that want all get what is theirs", () =>
    expect(adjustLimits([level(50, 25, 150, { highest: 200 }), level(50, 20, 150, { highest: 200 })]).current).toEqual([
      50, 50,
    ]));
  it("exempt requests take seats from all others, down to what these never lend", () => {
    const others = [level(50, 25, 150, { highest: 50 }), level(50, 20, 150, { highest: 50 })];
    expect(adjustLimits([level(0, 0, 100, { highest: 10 }, true), ...others]).current).toEqual([10, 45, 45]);
    expect(adjustLimits([level(0, 0, 100, { highest: 90 }, true), ...others]).current).toEqual([90, 25, 20]);
  });
});
