import { describe, expect, it } from "vitest";
import type { Observations } from "./observations.js";
import { noEviction, planEviction } from "./plan-eviction.js";
import { conditionOf, type Signal } from "./signals.js";
import { parseThresholds, type ThresholdConfig } from "./thresholds.js";

const parsing: { name: string; config: ThresholdConfig; thresholds: string[] }[] = [
  {
    name: "the defaults, and memory for pods together",
    config: {},
    thresholds: [
      "memory.available 104857600",
      "nodefs.available 10%",
      "nodefs.inodesFree 5%",
      "imagefs.available 15%",
      "imagefs.inodesFree 5%",
      "allocatableMemory.available 104857600",
    ],
  },
  {
    name: "soft ones with their grace periods, minimum reclaims",
    config: {
      evictionHard: {},
      evictionSoft: { "pid.available": "10%" },
      evictionSoftGracePeriod: { "pid.available": "1m30s" },
      evictionMinimumReclaim: { "pid.available": "500" },
    },
    thresholds: ["pid.available 10% after 90000 reclaims 500"],
  },
  {
    name: "0% and 100% as none",
    config: { evictionHard: { "nodefs.available": "0%", "imagefs.available": "100%" } },
    thresholds: [],
  },
];
const refused: { config: ThresholdConfig; message: string }[] = [
  { config: { evictionHard: { "cpu.available": "1" } }, message: "unsupported eviction signal cpu.available" },
  {
    config: { evictionHard: { "memory.available": "-1" } },
    message: "eviction threshold memory.available must be positive: -1",
  },
  {
    config: { evictionHard: { "nodefs.available": "101%" } },
    message: "eviction percentage threshold nodefs.available must be <= 100%: 101%",
  },
  {
    config: { evictionSoft: { "memory.available": "1Gi" } },
    message: "grace period must be specified for the soft eviction threshold memory.available",
  },
  {
    config: { evictionMinimumReclaim: { "nodefs.available": "0%" } },
    message: "eviction percentage minimum reclaim nodefs.available must be positive: 0%",
  },
];

describe("eviction thresholds are read", () => {
  const valueText = (value: { quantity: number } | { percentage: number }): string =>
    "quantity" in value ? String(value.quantity) : `${Math.round(value.percentage * 100)}%`;
  for (const { name, config, thresholds } of parsing)
    it(name, () =>
      expect(
        parseThresholds(config).map(({ signal, value, graceMs, minReclaim }) =>
          [
            `${signal} ${valueText(value)}`,
            graceMs > 0 && `after ${graceMs}`,
            minReclaim && `reclaims ${valueText(minReclaim)}`,
          ]
            .filter(Boolean)
            .join(" "),
        ),
      ).toEqual(thresholds),
    );
  for (const { config, message } of refused)
    it(`or refused: ${message}`, () => expect(() => parseThresholds(config)).toThrow(message));
});

const thresholds = parseThresholds({
  evictionHard: { "memory.available": "100", "nodefs.available": "10%" },
  evictionSoft: { "memory.available": "200" },
  evictionSoftGracePeriod: { "memory.available": "1m" },
  evictionMinimumReclaim: { "nodefs.available": "5%" },
});
/** What is left of 1,000. */
const left = (memory: number, disk = 500): Observations =>
  new Map<Signal, { available: number; capacity: number }>([
    ["memory.available", { available: memory, capacity: 1000 }],
    ["allocatableMemory.available", { available: 1000, capacity: 1000 }],
    ["nodefs.available", { available: disk, capacity: 1000 }],
  ]);
const seconds = 1000;

/** Looks one after the other: at which time, what is left, and what follows. */
type Look = [at: number, observations: Observations, conditions: string, reclaims: string | undefined];
const stories: { name: string; looks: Look[] }[] = [
  { name: "enough of everything", looks: [[0, left(500), "", undefined]] },
  { name: "a hard threshold evicts at once", looks: [[0, left(50), "MemoryPressure", "memory"]] },
  {
    name: "a soft threshold is a condition at once, and evicts after its grace period",
    looks: [
      [0, left(150), "MemoryPressure", undefined],
      [59, left(150), "MemoryPressure", undefined],
      [60, left(150), "MemoryPressure", "memory"],
    ],
  },
  {
    name: "a soft threshold that was not met in between begins anew",
    looks: [
      [0, left(150), "MemoryPressure", undefined],
      [30, left(300), "MemoryPressure", undefined],
      [40, left(150), "MemoryPressure", undefined],
      [70, left(150), "MemoryPressure", undefined],
    ],
  },
  {
    name: "a condition stays for the transition period",
    looks: [
      [0, left(50), "MemoryPressure", "memory"],
      [299, left(500), "MemoryPressure", undefined],
      [300, left(500), "", undefined],
    ],
  },
  {
    name: "what was too little must be free by the minimum reclaim beyond the threshold",
    looks: [
      [0, left(500, 90), "DiskPressure", "ephemeral-storage"],
      [10, left(500, 140), "DiskPressure", "ephemeral-storage"],
      [20, left(500, 150), "DiskPressure", undefined],
    ],
  },
  { name: "memory goes before the disk", looks: [[0, left(50, 50), "MemoryPressure DiskPressure", "memory"]] },
];

describe("a node under pressure", () => {
  for (const { name, looks } of stories)
    it(name, () => {
      let state = noEviction;
      for (const [at, observations, conditions, reclaims] of looks) {
        const plan = planEviction(state, { thresholds, observations, transitionMs: 300 * seconds, now: at * seconds });
        expect([at, plan.conditions.join(" "), plan.reclaim?.resource]).toEqual([at, conditions, reclaims]);
        state = plan.state;
      }
    });
  it("has a condition for every signal", () => expect(Object.values(conditionOf)).not.toContain(undefined));
});
