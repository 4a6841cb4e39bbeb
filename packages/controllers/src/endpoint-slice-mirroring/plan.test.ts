import type { EndpointAddress, EndpointSubset, Endpoints } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { createMetrics } from "@coxswain/component/metrics";
import { describe, expect, it } from "vitest";
import { recycle } from "../service-endpoints/slice-plan.js";
import { createMirrorMetrics } from "./metrics.js";
import { mayMirror, planMirror } from "./plan.js";

const metadata = { name: "web", namespace: "default", uid: "u1" };
const list = (ips: string): EndpointAddress[] => (ips === "" ? [] : ips.split(" ").map((ip) => ({ ip })));
const subset = (ready: string, notReady = "", ...ports: number[]): EndpointSubset => ({
  addresses: list(ready),
  notReadyAddresses: list(notReady),
  ports: ports.map((port) => ({ port, protocol: "TCP" })),
});
const endpoints = (...subsets: EndpointSubset[]): Endpoints => ({ metadata, subsets });
const plan = (object: Endpoints, existing: readonly EndpointSlice[] = [], maxPerSubset = 1000) =>
  planMirror({ endpoints: object, existing, maxPerSubset });
/** The slices that a first plan makes, as they are once they were written. */
const mirrored = (object: Endpoints): EndpointSlice[] =>
  plan(object).create.map((slice, at) => {
    const { generateName: _, ...rest } = (slice as EndpointSlice).metadata ?? {};
    return { ...(slice as EndpointSlice), metadata: { ...rest, name: `web-${at}` } };
  });
const summary = (slices: readonly object[]) =>
  (slices as EndpointSlice[])
    .map(({ addressType, endpoints: each, ports }) => [
      addressType,
      (each ?? []).map(({ addresses, conditions }) => `${addresses[0]}${conditions?.ready ? "" : "!"}`).join(" "),
      ...(ports ?? []).map(({ port }) => port).sort(),
    ])
    .sort();

describe("slices for Endpoints", () => {
  const rows: { name: string; given: EndpointSubset[]; create: unknown[] }[] = [
    { name: "none for none", given: [], create: [] },
    { name: "none for a subset without addresses", given: [subset("", "", 80)], create: [] },
    {
      name: "one for a subset",
      given: [subset("10.0.0.1", "10.0.0.2", 80)],
      create: [["IPv4", "10.0.0.1 10.0.0.2!", 80]],
    },
    {
      name: "one for each family",
      given: [subset("10.0.0.1 fd00::1", "", 80, 81)],
      create: [
        ["IPv4", "10.0.0.1", 80, 81],
        ["IPv6", "fd00::1", 80, 81],
      ],
    },
    {
      name: "one for each set of ports",
      given: [subset("10.0.0.1", "", 80), subset("10.0.0.2", "", 81)],
      create: [
        ["IPv4", "10.0.0.1", 80],
        ["IPv4", "10.0.0.2", 81],
      ],
    },
    {
      name: "one for each of several ports of an address",
      given: [subset("10.0.0.1", "", 80), subset("10.0.0.1", "", 81)],
      create: [["IPv4", "10.0.0.1", 80, 81]],
    },
    {
      name: "addresses in an odd form are written plainly, IPv4 within IPv6 too",
      given: [subset("010.0.0.1 ::ffff:10.0.0.2 FD00:0::1", "", 80)],
      create: [
        ["IPv4", "10.0.0.1 10.0.0.2", 80],
        ["IPv6", "fd00::1", 80],
      ],
    },
    {
      name: "subsets with the same ports come together",
      given: [subset("10.0.0.1", "", 80), subset("10.0.0.2", "", 80)],
      create: [["IPv4", "10.0.0.1 10.0.0.2", 80]],
    },
  ];
  for (const { name, given, create } of rows)
    it(name, () => expect(summary(plan(endpoints(...given)).create)).toEqual(create));

  it("carry labels and annotations, but for those of the trigger time and of kubectl apply", () => {
    const object = endpoints(subset("10.0.0.1", "", 80));
    object.metadata = {
      ...metadata,
      labels: { a: "b" },
      annotations: {
        c: "d",
        "endpoints.kubernetes.io/last-change-trigger-time": "t",
        "kubectl.kubernetes.io/last-applied-configuration": "{}",
      },
    };
    expect(plan(object).create[0]?.metadata).toEqual({
      generateName: "web-",
      namespace: "default",
      labels: {
        a: "b",
        "kubernetes.io/service-name": "web",
        "endpointslice.kubernetes.io/managed-by": "endpointslicemirroring-controller.k8s.io",
      },
      annotations: { c: "d" },
      ownerReferences: [
        { apiVersion: "v1", kind: "Endpoints", name: "web", uid: "u1", controller: true, blockOwnerDeletion: true },
      ],
    });
  });
});

describe("what is skipped", () => {
  it("addresses that are none", () =>
    expect(plan(endpoints(subset("10.0.0.1 example.com", "x", 80)))).toMatchObject({ invalid: 2, skipped: 2 }));
  it("addresses beyond the limit, those that are not ready first", () => {
    const result = plan(endpoints(subset("10.0.0.1 10.0.0.2", "10.0.0.3 10.0.0.4", 80)), [], 3);
    expect(result).toMatchObject({ invalid: 0, skipped: 1 });
    expect(summary(result.create)).toEqual([["IPv4", "10.0.0.1 10.0.0.2 10.0.0.3!", 80]]);
  });
});

describe("slices that are there", () => {
  const before = endpoints(subset("10.0.0.1", "", 80));
  const [slice] = mirrored(before);
  it("stay where nothing has changed", () =>
    expect(plan(before, mirrored(before))).toMatchObject({ create: [], update: [], remove: [], unchanged: [{}] }));
  const changes: { name: string; next: Endpoints; existing?: EndpointSlice[] }[] = [
    { name: "an address", next: endpoints(subset("10.0.0.1 10.0.0.2", "", 80)) },
    { name: "readiness", next: endpoints(subset("", "10.0.0.1", 80)) },
    { name: "a label", next: { ...before, metadata: { ...metadata, labels: { a: "b" } } } },
    { name: "an annotation", next: { ...before, metadata: { ...metadata, annotations: { a: "b" } } } },
    {
      name: "a label that the Endpoints have no more",
      next: before,
      existing: [
        { ...slice, metadata: { ...slice?.metadata, labels: { ...slice?.metadata?.labels, a: "b" } } } as never,
      ],
    },
    {
      name: "an annotation of kubectl apply that an older version mirrored",
      next: before,
      existing: [
        {
          ...slice,
          metadata: { ...slice?.metadata, annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" } },
        } as never,
      ],
    },
    { name: "the owner, which is a namesake", next: { ...before, metadata: { ...metadata, uid: "u2" } } },
  ];
  for (const { name, next, existing = mirrored(before) } of changes)
    it(`are updated for ${name}`, () => {
      const result = plan(next, existing);
      expect([result.create.length, result.update.map((each) => each.metadata?.name), result.remove.length]).toEqual([
        0,
        ["web-0"],
        0,
      ]);
    });
  it("are deleted beyond the first, and when their ports are gone", () => {
    const twice = [slice, { ...slice, metadata: { ...slice?.metadata, name: "again" } }] as EndpointSlice[];
    expect(plan(before, twice).remove.map((each) => each.metadata?.name)).toEqual(["again"]);
    expect(plan(endpoints(), mirrored(before)).remove).toHaveLength(1);
  });
});

it("Endpoints can be labelled not to be mirrored", () => {
  expect(mayMirror({ metadata })).toBe(true);
  expect(mayMirror({ metadata: { labels: { "endpointslice.kubernetes.io/skip-mirror": "true" } } })).toBe(false);
  expect(mayMirror({ metadata: { labels: { "endpointslice.kubernetes.io/skip-mirror": "false" } } })).toBe(true);
  expect(mayMirror({ metadata: { annotations: { "control-plane.alpha.kubernetes.io/leader": "" } } })).toBe(false);
});

describe("what a plan counts", () => {
  const before = endpoints(subset("10.0.0.1 10.0.0.2", "", 80));
  const rows: { name: string; next: Endpoints; counts: number[]; groups: object[] }[] = [
    { name: "nothing", next: before, counts: [0, 0, 0], groups: [{ endpoints: 2, slices: 1 }] },
    {
      name: "one comes, one changes, one goes",
      next: endpoints(subset("10.0.0.3", "10.0.0.1", 80)),
      counts: [1, 1, 1],
      groups: [{ endpoints: 2, slices: 1 }],
    },
    {
      name: "all go with their ports",
      next: endpoints(subset("10.0.0.1", "", 81)),
      counts: [1, 0, 2],
      groups: [
        { endpoints: 1, slices: 1 },
        { endpoints: 0, slices: 0 },
      ],
    },
  ];
  for (const { name, next, counts, groups } of rows)
    it(name, () => {
      const { added, updated, removed, ...result } = plan(next, mirrored(before));
      expect([[added, updated, removed], result.groups]).toEqual([counts, groups]);
    });
});

describe("slices that are no longer needed", () => {
  const of = (next: Endpoints, before: Endpoints) => recycle(plan(next, mirrored(before)), () => true);
  it("take the endpoints of new ones of their family, and keep the prefix of their name", () =>
    expect(of(endpoints(subset("10.0.0.1", "", 81)), endpoints(subset("10.0.0.1", "", 80)))).toMatchObject({
      create: [],
      update: [{ metadata: { name: "web-0", generateName: "web-" }, ports: [{ port: 81 }] }],
      remove: [],
    }));
  it("are deleted where the family is another one", () =>
    expect(of(endpoints(subset("fd00::1", "", 81)), endpoints(subset("10.0.0.1", "", 80)))).toMatchObject({
      create: [{ addressType: "IPv6" }],
      update: [],
      remove: [{ metadata: { name: "web-0" } }],
    }));
  it("of both families find their like", () => {
    const both = "10.0.0.1 fd00::1";
    const { create, update, remove } = of(endpoints(subset(both, "", 81)), endpoints(subset(both, "", 80)));
    expect([create, update.map(({ addressType }) => addressType).sort(), remove]).toEqual([[], ["IPv4", "IPv6"], []]);
  });
});

it("totals follow Endpoints as they change and go", () => {
  const registry = createMetrics();
  const metrics = createMirrorMetrics(registry, 1000);
  const values = () =>
    registry
      .text()
      .split("\n")
      .filter((line) => /^endpoint_slice_mirroring_controller_(endpoints_desired|num_endpoint_slices) /.test(line))
      .map((line) => Number(line.split(" ")[1]));
  metrics.planned("n/a", plan(endpoints(subset("10.0.0.1 10.0.0.2 fd00::1", "", 80))));
  expect(values()).toEqual([3, 2]);
  metrics.planned("n/a", plan(endpoints(subset("10.0.0.1", "", 80))));
  expect(values()).toEqual([1, 1]);
  metrics.forget("n/a");
  expect(values()).toEqual([0, 0]);
});
