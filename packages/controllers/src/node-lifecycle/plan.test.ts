import type { Node, NodeCondition, Taint } from "@coxswain/api/core/v1";
import { formatTime } from "@coxswain/apimachinery/time";
import { describe, expect, it } from "vitest";
import { swapTaints } from "../nodes/node-taints.js";
import {
  type DisruptionSettings,
  planDisruption,
  stateOfZone,
  type ZoneCounts,
  type ZoneState,
  zoneOf,
} from "./disruption.js";
import { observe, planHealth } from "./node-health.js";
import { planLabels, planNoExecute, planNoSchedule } from "./plan.js";
import { createTaintQueue } from "./taint-queue.js";
import { createZones } from "./zones.js";

const start = Date.UTC(2026, 0, 1);
const at = (seconds: number): string => formatTime(start + seconds * 1000);
const condition = (type: string, status: "True" | "False" | "Unknown", heartbeat = 0): NodeCondition => ({
  type,
  status,
  lastHeartbeatTime: at(heartbeat),
});
const node = (
  conditions: NodeCondition[] = [],
  more: Node["spec"] = {},
  labels: Record<string, string> = {},
): Node => ({
  metadata: { name: "n", creationTimestamp: at(0), labels },
  spec: more,
  status: { conditions },
});
const lease = (seconds: number) => ({ spec: { renewTime: at(seconds).replace("Z", ".000000Z") } });

describe("when a node was last seen", () => {
  const silent = node();
  const ready = node([condition("Ready", "True", 1)]);
  const first = observe(undefined, { node: ready, lease: undefined, nowMs: start + 5000 });
  const rows = [
    { name: "at its creation, if it never reported", before: undefined, node: silent, lease: undefined, lastSeen: 0 },
    {
      name: "when it was first seen, if it has a status",
      before: undefined,
      node: ready,
      lease: undefined,
      lastSeen: 10,
    },
    { name: "when its lease was first seen", before: undefined, node: silent, lease: lease(1), lastSeen: 10 },
    { name: "no later, if nothing has changed", before: first, node: ready, lease: undefined, lastSeen: 5 },
    {
      name: "when its heartbeat changed",
      before: first,
      node: node([condition("Ready", "True", 2)]),
      lease: undefined,
      lastSeen: 10,
    },
    {
      name: "when its first status came",
      before: observe(undefined, { node: silent, lease: undefined, nowMs: start }),
      node: ready,
      lease: undefined,
      lastSeen: 10,
    },
    { name: "when its status was taken away", before: first, node: silent, lease: undefined, lastSeen: 10 },
    {
      name: "when its lease was renewed",
      before: { ...first, renewTime: lease(1).spec.renewTime },
      node: ready,
      lease: lease(2),
      lastSeen: 10,
    },
    {
      name: "no later, if the lease is the same",
      before: { ...first, renewTime: lease(2).spec.renewTime },
      node: ready,
      lease: lease(2),
      lastSeen: 5,
    },
  ];
  for (const { name, before, node: seen, lease: renewed, lastSeen } of rows)
    it(name, () =>
      expect(observe(before, { node: seen, lease: renewed, nowMs: start + 10_000 }).lastSeenMs).toBe(
        start + lastSeen * 1000,
      ),
    );
});

describe("a silent node", () => {
  const grace = { monitorMs: 50_000, startupMs: 60_000 };
  const plan = (of: Node, seconds: number) =>
    planHealth(of, { lastSeenMs: start, nowMs: start + seconds * 1000, now: at(seconds), grace });
  const rows: { name: string; node: Node; seconds: number; due?: number; becomes?: string[] }[] = [
    { name: "is left alone for 50 s", node: node([condition("Ready", "True")]), seconds: 50, due: 50 },
    { name: "is left alone for 60 s if it never reported", node: node(), seconds: 60, due: 60 },
    {
      name: "becomes unknown in all conditions of its kubelet",
      node: node([
        condition("Ready", "True"),
        condition("NetworkUnavailable", "False"),
        condition("DiskPressure", "False"),
      ]),
      seconds: 51,
      becomes: [
        "Ready Unknown NodeStatusUnknown: Kubelet stopped posting node status.",
        "NetworkUnavailable False undefined: undefined",
        "DiskPressure Unknown NodeStatusUnknown: Kubelet stopped posting node status.",
        "MemoryPressure Unknown NodeStatusNeverUpdated: Kubelet never posted node status.",
        "PIDPressure Unknown NodeStatusNeverUpdated: Kubelet never posted node status.",
      ],
    },
    {
      name: "is written once",
      node: node([condition("Ready", "Unknown"), condition("DiskPressure", "True")]),
      seconds: 51,
    },
  ];
  for (const { name, node: of, seconds, due, becomes } of rows)
    it(name, () => {
      const result = plan(of, seconds);
      if (due !== undefined) return expect(result).toEqual({ kind: "reachable", dueMs: start + due * 1000 });
      if (result.kind !== "unreachable") throw new Error("it is reachable");
      expect(
        result.conditions?.map(({ type, status, reason, message }) => `${type} ${status} ${reason}: ${message}`),
      ).toEqual(becomes);
    });
});

const taint = (key: string, effect: Taint["effect"] = "NoSchedule"): Taint => ({
  key: `node.kubernetes.io/${key}`,
  effect,
});

describe("taints against new pods", () => {
  const rows: { name: string; conditions?: NodeCondition[]; spec?: Node["spec"]; add?: string[]; remove?: string[] }[] =
    [
      {
        name: "none for a node that is well",
        conditions: [condition("Ready", "True"), condition("DiskPressure", "False")],
      },
      { name: "not ready", conditions: [condition("Ready", "False")], add: ["not-ready"] },
      {
        name: "unreachable in its place",
        conditions: [condition("Ready", "Unknown")],
        spec: { taints: [taint("not-ready")] },
        add: ["unreachable"],
        remove: ["not-ready"],
      },
      {
        name: "pressures and network",
        conditions: [
          condition("MemoryPressure", "True"),
          condition("DiskPressure", "True"),
          condition("PIDPressure", "True"),
          condition("NetworkUnavailable", "True"),
        ],
        add: ["memory-pressure", "disk-pressure", "pid-pressure", "network-unavailable"],
      },
      { name: "cordoned", spec: { unschedulable: true }, add: ["unschedulable"] },
      { name: "no longer cordoned", spec: { taints: [taint("unschedulable")] }, remove: ["unschedulable"] },
      {
        name: "a taint of the same key and another effect is another one",
        conditions: [condition("Ready", "False")],
        spec: { taints: [taint("not-ready", "NoExecute")] },
        add: ["not-ready"],
      },
      { name: "those of others stay", spec: { taints: [taint("mine"), taint("disk-pressure", "NoExecute")] } },
    ];
  const short = (list: readonly { key: string }[]): string[] =>
    list.map(({ key }) => key.replace("node.kubernetes.io/", ""));
  for (const { name, conditions = [], spec = {}, add = [], remove = [] } of rows)
    it(name, () => {
      const changes = planNoSchedule(node(conditions, spec));
      expect([short(changes.add), short(changes.remove)]).toEqual([add, remove]);
    });
});

describe("taints that make pods leave", () => {
  const [away, broken] = [taint("unreachable", "NoExecute"), taint("not-ready", "NoExecute")];
  const rows = [
    { name: "a ready node has none", ready: "True", taints: [away], kind: "reachable" },
    { name: "one that is not ready waits for it", ready: "False", taints: [], kind: "queue" },
    { name: "one that has it is left alone", ready: "False", taints: [broken], kind: "leave" },
    { name: "one with the other one gets it at once", ready: "False", taints: [away], kind: "swap" },
    { name: "and the other way round", ready: "Unknown", taints: [broken], kind: "swap" },
  ] as const;
  for (const { name, ready, taints, kind } of rows)
    it(name, () => expect(planNoExecute(node([condition("Ready", ready)], { taints: [...taints] })).kind).toBe(kind));
  it("a node without a status is left alone", () => expect(planNoExecute(node()).kind).toBe("leave"));
  it("are swapped in one write that leaves others alone", () => {
    const mine = taint("mine");
    expect(swapTaints([away, mine], { add: [broken], remove: [away], now: at(1) })).toEqual([
      mine,
      { ...broken, timeAdded: at(1) },
    ]);
    expect(swapTaints([broken], { add: [broken], remove: [away], now: at(1) })).toBeUndefined();
  });
});

describe("labels", () => {
  const rows = [
    {
      name: "the older ones are added",
      labels: { "kubernetes.io/os": "linux", "kubernetes.io/arch": "arm64" },
      add: { "beta.kubernetes.io/os": "linux", "beta.kubernetes.io/arch": "arm64" },
    },
    {
      name: "and follow the newer ones",
      labels: { "kubernetes.io/os": "linux", "beta.kubernetes.io/os": "windows" },
      add: { "beta.kubernetes.io/os": "linux" },
    },
    {
      name: "equal ones stay",
      labels: { "kubernetes.io/os": "linux", "beta.kubernetes.io/os": "linux" },
      add: undefined,
    },
    { name: "older ones alone stay", labels: { "beta.kubernetes.io/os": "linux" }, add: undefined },
  ];
  for (const { name, labels, add } of rows)
    it(name, () => expect(planLabels(node([], {}, labels as never))).toEqual(add));
});

const settings: DisruptionSettings = { rate: 0.1, secondaryRate: 0.01, largeZone: 50, unhealthyFraction: 0.55 };

describe("zones", () => {
  it("are regions and zones, by old labels or new", () => {
    expect(zoneOf(node())).toBe("");
    expect(zoneOf(node([], {}, { "topology.kubernetes.io/region": "r", "topology.kubernetes.io/zone": "z" }))).toBe(
      "r:\0:z",
    );
    expect(
      zoneOf(node([], {}, { "failure-domain.beta.kubernetes.io/zone": "old", "topology.kubernetes.io/zone": "z" })),
    ).toBe(":\0:old");
  });
  const states: [ready: number, notReady: number, state: ZoneState][] = [
    [0, 0, "Normal"],
    [0, 1, "FullDisruption"],
    [1, 2, "Normal"],
    [2, 3, "PartialDisruption"],
    [10, 10, "Normal"],
    [9, 11, "PartialDisruption"],
  ];
  for (const [ready, notReady, state] of states)
    it(`of ${ready} ready and ${notReady} other nodes: ${state}`, () =>
      expect(stateOfZone({ ready, notReady }, settings)).toBe(state));

  type Row = {
    name: string;
    before: Record<string, ZoneState>;
    zones: Record<string, [number, number]>;
    rates: Record<string, number>;
    everywhere?: "enter" | "leave";
  };
  const rows: Row[] = [
    { name: "nothing changes while all is well", before: { a: "Normal" }, zones: { a: [3, 0] }, rates: {} },
    { name: "a new zone has the usual rate", before: {}, zones: { a: [3, 0] }, rates: { a: 0.1 } },
    {
      name: "much of a small zone fails: it stops",
      before: { a: "Normal", b: "Normal" },
      zones: { a: [2, 4], b: [3, 0] },
      rates: { a: 0 },
    },
    {
      name: "much of a large zone fails: it is slow",
      before: { a: "Normal" },
      zones: { a: [20, 40] },
      rates: { a: 0.01 },
    },
    {
      name: "all of a zone fails and others work: the usual rate",
      before: { a: "PartialDisruption", b: "Normal" },
      zones: { a: [0, 6], b: [3, 0] },
      rates: { a: 0.1 },
    },
    {
      name: "everything fails: all stop",
      before: { a: "Normal", b: "FullDisruption" },
      zones: { a: [0, 3], b: [0, 3] },
      rates: { a: 0, b: 0 },
      everywhere: "enter",
    },
    { name: "everything still fails", before: { a: "FullDisruption" }, zones: { a: [0, 4] }, rates: {} },
    {
      name: "one zone works again: all get their rates",
      before: { a: "FullDisruption", b: "FullDisruption" },
      zones: { a: [1, 0], b: [0, 3] },
      rates: { a: 0.1, b: 0.1 },
      everywhere: "leave",
    },
    { name: "no nodes at all", before: { a: "Normal" }, zones: {}, rates: {} },
  ];
  for (const { name, before, zones, rates, everywhere } of rows)
    it(name, () => {
      const counts = new Map(
        Object.entries(zones).map(([zone, [ready, notReady]]): [string, ZoneCounts] => [zone, { ready, notReady }]),
      );
      const plan = planDisruption(new Map(Object.entries(before)), counts, settings);
      expect([Object.fromEntries(plan.rates), plan.everywhere]).toEqual([rates, everywhere]);
    });

  it("are counted as nodes change, move and go", () => {
    const zones = createZones(settings);
    const inZone = (name: string, zone: string, status: "True" | "False", excluded = false): Node => ({
      metadata: {
        name,
        labels: {
          "topology.kubernetes.io/zone": zone,
          ...(excluded && { "node.kubernetes.io/exclude-disruption": "" }),
        },
      },
      status: { conditions: [condition("Ready", status)] },
    });
    expect([...zones.count(inZone("1", "a", "True"), 0).states.values()]).toEqual(["Normal"]);
    expect(zones.count(inZone("2", "b", "False"), 0).everywhere).toBeUndefined();
    expect(zones.count(inZone("3", "c", "False", true), 0).states.size).toBe(2);
    expect(zones.count(inZone("1", "a", "False"), 0).everywhere).toBe("enter");
    expect([...zones.count(inZone("1", "b", "False"), 0).states]).toEqual([[":\0:b", "FullDisruption"]]);
    expect(zones.discount("2", 0).states.size).toBe(1);
    expect(zones.count(inZone("1", "b", "True"), 0).everywhere).toBe("leave");
  });
});

it("nodes of a zone are tainted one after the other, at its rate", () => {
  const queue = createTaintQueue(0.1);
  for (const name of ["a", "b", "c"]) queue.add(name);
  expect(queue.take(0)).toEqual({ node: "a" });
  expect(queue.take(1000)).toEqual({ waitMs: 9000 });
  queue.remove("b");
  expect(queue.take(10_000)).toEqual({ node: "c" });
  expect(queue.take(10_000)).toBeUndefined();
  queue.add("d");
  queue.setRate(0, 11_000);
  expect(queue.take(100_000)).toBeUndefined();
  queue.setRate(0.1, 100_000);
  expect(queue.take(100_000)).toEqual({ waitMs: 10_000 });
});
