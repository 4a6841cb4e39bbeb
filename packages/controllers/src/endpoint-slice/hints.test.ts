import type { Endpoint, EndpointSlice } from "@coxswain/api/discovery/v1";
import { describe, expect, it } from "vitest";
import { testNode, testService } from "../service-endpoints/service-endpoints.test.support.js";
import { createHintState } from "./hint-state.js";
import { removeHints, type SlicesToHint } from "./hinted-slices.js";
import { addNearbyHints, asksForZoneHints, trafficDistributionOf } from "./traffic-distribution.js";
import { isOverloaded, zoneRatios } from "./zone-capacity.js";
import { addZoneHints } from "./zone-hints.js";

/** "a" is a ready endpoint in zone a; "a>b" one with a hint for b; "!a" one that is not ready; "-" one without a zone. */
const endpoint = (text: string): Endpoint => {
  const [own = "", hint] = text.replace("!", "").split(">");
  return {
    addresses: ["10.0.0.1"],
    nodeName: `n-${own}`,
    conditions: { ready: !text.startsWith("!") },
    ...(own !== "-" && { zone: own }),
    ...(hint && { hints: { forZones: [{ name: hint }] } }),
  };
};
const slice = (text: string): EndpointSlice => ({ addressType: "IPv4", endpoints: text.split(" ").map(endpoint) });
const textOf = ({ endpoints }: { endpoints?: readonly object[] }): string =>
  ((endpoints ?? []) as Endpoint[])
    .map(({ zone = "-", conditions, hints }) => {
      const [forZone] = hints?.forZones ?? [];
      return `${conditions?.ready ? "" : "!"}${zone}${forZone ? `>${forZone.name}` : ""}`;
    })
    .join(" ");
const slices = ({ create = [], update = [], unchanged = [] }: Partial<Record<keyof SlicesToHint, string[]>>) => ({
  create: create.map(slice),
  update: update.map(slice),
  unchanged: unchanged.map(slice),
});
type Given = Partial<Record<keyof SlicesToHint, string[]>>;

describe("hints by zone", () => {
  const rows: {
    name: string;
    ratios?: Record<string, number>;
    given: Given;
    create?: string[];
    update?: string[];
    refused?: string;
  }[] = [
    {
      name: "none without knowledge of nodes",
      given: { create: ["a"] },
      refused: "Insufficient Node information: allocatable CPU or zone not specified on one or more nodes",
    },
    {
      name: "none with fewer endpoints than zones",
      ratios: { a: 0.3, b: 0.4, c: 0.3 },
      given: { create: ["a b"] },
      refused: "Insufficient number of endpoints (2 endpoints, 3 zones)",
    },
    {
      name: "none where a zone would be overloaded",
      ratios: { a: 0.75, b: 0.25 },
      given: { create: ["a b"] },
      refused:
        "Unable to allocate minimum required endpoints to each zone without exceeding overload threshold (2 endpoints, 2 zones)",
    },
    {
      name: "none when an endpoint has no zone",
      ratios: { a: 0.5, b: 0.5 },
      given: { create: ["a b b -"] },
      refused: "One or more endpoints do not have a zone specified",
    },
    {
      name: "each its own zone where that fits",
      ratios: { a: 0.45, b: 0.55 },
      given: { create: ["a b"] },
      create: ["a>a b>b"],
    },
    {
      name: "endpoints that are not ready get none",
      ratios: { a: 0.45, b: 0.55 },
      given: { create: ["a b !b"] },
      create: ["a>a b>b !b"],
    },
    {
      name: "a zone with too many gives to one with too few",
      ratios: { a: 0.35, b: 0.35, c: 0.3 },
      given: { create: ["a b", "c c a"], update: ["a a", "b c a"] },
      create: ["a>b b>b", "c>c c>c a>a"],
      update: ["a>a a>a", "b>b c>c a>a"],
    },
    {
      name: "slices with hints that fit are not written",
      ratios: { a: 0.5, b: 0.5 },
      given: { create: ["a b"], unchanged: ["a>a b>b"] },
      create: ["a>a b>b"],
    },
    {
      name: "slices without hints are written",
      ratios: { a: 0.5, b: 0.5 },
      given: { unchanged: ["a b"] },
      update: ["a>a b>b"],
    },
    {
      name: "slices with hints for a zone that is gone are written",
      ratios: { a: 0.5, b: 0.5 },
      given: { unchanged: ["a>c b>b"] },
      update: ["a>a b>b"],
    },
    {
      name: "slices that give one zone too much are written",
      ratios: { a: 0.5, b: 0.5 },
      given: { unchanged: ["a>a b>a b>a b>b"] },
      update: ["a>a b>a b>b b>b"],
    },
  ];
  for (const { name, ratios, given, create = [], update = [], refused } of rows)
    it(name, () => {
      const result = addZoneHints(slices(given), ratios && new Map(Object.entries(ratios)));
      if (refused !== undefined) return expect(result).toEqual({ kind: "impossible", message: refused });
      if (result.kind !== "hinted") throw new Error(result.message);
      expect([result.create.map(textOf), result.update.map(textOf)]).toEqual([create, update]);
    });
});

describe("zones' shares", () => {
  it("are those of the CPU of nodes that are ready", () =>
    expect(
      zoneRatios([
        testNode("1", "a"),
        testNode("2", "a"),
        testNode("3", "b"),
        testNode("4", "c", false),
        testNode("5", "b"),
      ]),
    ).toEqual(
      new Map([
        ["a", 0.5],
        ["b", 0.5],
      ]),
    ));
  it("do not count the control plane", () => {
    const control = testNode("c");
    control.metadata = { name: "c", labels: { "node-role.kubernetes.io/control-plane": "" } };
    expect(zoneRatios([testNode("1", "a"), testNode("2", "b"), control])?.size).toBe(2);
  });
  it("are unknown with a node without a zone, without CPU, or with one zone only", () => {
    expect(zoneRatios([testNode("1", "a"), testNode("2", "b"), testNode("3")])).toBeUndefined();
    expect(
      zoneRatios([
        testNode("1", "a"),
        { ...testNode("2", "b"), status: { conditions: [{ type: "Ready", status: "True" }] } },
      ]),
    ).toBeUndefined();
    expect(zoneRatios([testNode("1", "a"), testNode("2", "a")])).toBeUndefined();
  });
  const half = new Map([
    ["a", 0.5],
    ["b", 0.5],
  ]);
  const rows = [
    { name: "fit", zones: { a: 5, b: 5 }, ratios: half, is: false },
    { name: "are within the threshold", zones: { a: 5, b: 6 }, ratios: half, is: false },
    { name: "are beyond it", zones: { a: 4, b: 7 }, ratios: half, is: true },
    { name: "miss a zone", zones: { a: 4 }, ratios: half, is: true },
    { name: "are none", zones: {}, ratios: undefined, is: false },
    { name: "have unknown nodes", zones: { a: 4 }, ratios: undefined, is: true },
  ];
  for (const { name, zones, ratios, is } of rows)
    it(`overload endpoints that ${name}: ${is}`, () =>
      expect(isOverloaded(new Map(Object.entries(zones)), ratios)).toBe(is));
});

describe("hints by traffic distribution", () => {
  it("are the endpoint's own zone", () => {
    const { create, update } = addNearbyHints(
      slices({ create: ["a !b"], unchanged: ["a>a", "a>b", "- c"] }),
      "PreferClose",
    );
    expect([create.map(textOf), update.map(textOf)]).toEqual([["a>a !b"], ["a>a", "- c>c"]]);
  });
  it("and its node", () => {
    const { create } = addNearbyHints(slices({ create: ["a"] }), "PreferSameNode");
    expect(create[0]?.endpoints?.[0]?.hints).toEqual({ forZones: [{ name: "a" }], forNodes: [{ name: "n-a" }] });
  });
  const rows = [
    { name: "PreferClose", distribution: "PreferClose", hasPreferSame: false, is: "PreferClose" },
    {
      name: "PreferSameNode where the gate is on",
      distribution: "PreferSameNode",
      hasPreferSame: true,
      is: "PreferSameNode",
    },
    {
      name: "PreferSameZone where the gate is off",
      distribution: "PreferSameZone",
      hasPreferSame: false,
      is: undefined,
    },
    { name: "another word", distribution: "Far", hasPreferSame: true, is: undefined },
  ];
  for (const { name, distribution, hasPreferSame, is } of rows)
    it(`for ${name}: ${is}`, () =>
      expect(trafficDistributionOf(testService({ trafficDistribution: distribution }), { hasPreferSame })).toBe(is));
  it("yield to the annotation", () => {
    const service = testService({ trafficDistribution: "PreferClose" });
    service.metadata = { ...service.metadata, annotations: { "service.kubernetes.io/topology-mode": "Auto" } };
    expect(trafficDistributionOf(service, { hasPreferSame: true })).toBeUndefined();
    expect(asksForZoneHints(service)).toBe(true);
    service.metadata.annotations = {
      ...service.metadata.annotations,
      "service.kubernetes.io/topology-aware-hints": "no",
    };
    expect(asksForZoneHints(service)).toBe(false);
  });
});

it("hints that nobody asks for are removed, and slices without any are not written", () => {
  const { create, update } = removeHints(slices({ create: ["a>a"], update: ["b>b"], unchanged: ["c>c", "d"] }));
  expect([create.map(textOf), update.map(textOf)]).toEqual([["a"], ["b", "c"]]);
});

it("reports when hints by zone begin and when they end", () => {
  const reasons: string[] = [];
  const state = createHintState();
  const service = testService();
  const hint = (mode: string) => {
    const annotated = {
      ...service,
      metadata: { ...service.metadata, annotations: { "service.kubernetes.io/topology-mode": mode } },
    };
    state.hint(annotated, {
      family: "IPv4",
      slices: slices({ create: ["a b"] }),
      ratios: new Map([
        ["a", 0.5],
        ["b", 0.5],
      ]),
      hasPreferSame: true,
      report: ({ reason, message }) => void reasons.push(`${reason}: ${message}`),
    });
  };
  for (const mode of ["Auto", "Auto", "Disabled", "Disabled"]) hint(mode);
  expect(reasons).toEqual([
    "TopologyAwareHintsEnabled: Topology Aware Hints has been enabled, addressType: IPv4",
    "TopologyAwareHintsDisabled: Topology Aware Hints has been disabled, addressType: IPv4",
  ]);
  hint("Auto");
  expect(state.overloaded(undefined)).toEqual(["default/web"]);
});
