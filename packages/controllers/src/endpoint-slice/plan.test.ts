import type { Service } from "@coxswain/api/core/v1";
import type { Endpoint, EndpointSlice } from "@coxswain/api/discovery/v1";
import { describe, expect, it } from "vitest";
import { servedPod, type TestPod, testNode, testService } from "../service-endpoints/service-endpoints.test.support.js";
import { recycle } from "../service-endpoints/slice-plan.js";
import { newSlice, sliceLabels, slicePrefix } from "./new-slice.js";
import { familiesOf, planSlices } from "./plan.js";
import { podEndpoint } from "./pod-endpoint.js";

const names = (count: number, prefix = "p"): TestPod[] =>
  Array.from({ length: count }, (_, index) => ({
    name: `${prefix}${index}`,
    ips: [`10.0.${index >> 8}.${index & 255}`],
  }));
const ports = [{ name: "http", protocol: "TCP" as const, port: 8080 }];
/** A slice that holds these pods already. */
const sliceOf = (name: string, pods: readonly TestPod[], service: Service = testService()): EndpointSlice => {
  const endpoints = pods.map((pod) =>
    podEndpoint(service, servedPod(pod), { family: "IPv4", node: testNode("n1") }),
  ) as Endpoint[];
  const { metadata, ...slice } = newSlice(service, { ports, addressType: "IPv4", endpoints }) as EndpointSlice;
  const { generateName: _, ...rest } = metadata ?? {};
  return { ...slice, metadata: { ...rest, name } };
};
const plan = (
  pods: readonly TestPod[],
  existing: readonly EndpointSlice[] = [],
  { service = testService(), max = 100 }: { service?: Service; max?: number } = {},
) =>
  planSlices({
    service,
    pods: pods.map(servedPod),
    existing,
    family: "IPv4",
    nodeByName: (name) => (name === "gone" ? undefined : testNode(name, `zone-of-${name}`)),
    maxPerSlice: max,
  });
const nodeless = (pods: readonly TestPod[], existing: readonly EndpointSlice[] = [], max = 100) =>
  planSlices({
    service: testService(),
    pods: pods.map(servedPod),
    existing,
    family: "IPv4",
    nodeByName: () => testNode("n1"),
    maxPerSlice: max,
  });
const sizes = (slices: readonly { endpoints?: readonly unknown[] }[]): number[] =>
  slices.map(({ endpoints }) => endpoints?.length ?? 0);

describe("where endpoints are placed", () => {
  const rows: {
    name: string;
    pods: TestPod[];
    existing?: EndpointSlice[];
    max?: number;
    create?: number[];
    update?: Record<string, number>;
    remove?: string[];
  }[] = [
    { name: "a service without pods has an empty slice", pods: [], create: [0] },
    { name: "the empty slice stays", pods: [], existing: [emptySlice("e")] },
    {
      name: "an empty slice is replaced by one with endpoints",
      pods: names(1),
      existing: [emptySlice("e")],
      create: [1],
      remove: ["e"],
    },
    { name: "one pod, one slice", pods: names(1), create: [1] },
    { name: "many pods, several full slices", pods: names(250), create: [100, 100, 50] },
    { name: "nothing is written where all are in place", pods: names(3), existing: [sliceOf("a", names(3))] },
    {
      name: "a new endpoint goes into a slice with room",
      pods: names(4),
      existing: [sliceOf("a", names(3))],
      update: { a: 4 },
    },
    {
      name: "of several slices the fullest that takes all gets them",
      pods: [...names(3, "a"), ...names(5, "b"), ...names(2, "c")],
      existing: [sliceOf("a", names(3, "a")), sliceOf("b", names(5, "b"))],
      max: 7,
      update: { b: 7 },
    },
    {
      name: "where none takes all, a new slice is made although others have room",
      pods: [...names(6, "a"), ...names(6, "b"), ...names(4, "c")],
      existing: [sliceOf("a", names(6, "a")), sliceOf("b", names(6, "b"))],
      max: 8,
      create: [4],
    },
    {
      name: "slices that are written anyway are filled, the fullest first",
      pods: [...names(4, "a"), ...names(5, "b"), ...names(4, "c")],
      existing: [sliceOf("a", names(5, "a")), sliceOf("b", names(6, "b"))],
      max: 7,
      update: { a: 6, b: 7 },
    },
    {
      name: "a slice whose endpoints are all gone is deleted",
      pods: names(1, "a"),
      existing: [sliceOf("a", names(1, "a")), sliceOf("b", names(2, "b"))],
      remove: ["b"],
    },
    {
      name: "when all pods go, an empty slice takes the place",
      pods: [],
      existing: [sliceOf("a", names(2))],
      create: [0],
      remove: ["a"],
    },
    { name: "a slice over a lowered limit stays as it is", pods: names(5), existing: [sliceOf("a", names(5))], max: 3 },
    {
      name: "a slice of a deleted namesake is not touched but replaced",
      pods: names(1),
      existing: [sliceOf("old", names(1), { ...testService(), metadata: { ...testService().metadata, uid: "old" } })],
      create: [1],
      remove: ["old"],
    },
    {
      name: "a changed condition is an update in place",
      pods: [{ ...names(1)[0], isReady: false }],
      existing: [sliceOf("a", names(1))],
      update: { a: 1 },
    },
  ];
  for (const { name, pods, existing = [], max = 100, create = [], update = {}, remove = [] } of rows)
    it(name, () => {
      const result = nodeless(pods, existing, max);
      expect(sizes(result.create)).toEqual(create);
      expect(Object.fromEntries(result.update.map((slice) => [slice.metadata?.name, slice.endpoints?.length]))).toEqual(
        update,
      );
      expect(result.remove.map(({ metadata }) => metadata?.name)).toEqual(remove);
    });
});

function emptySlice(name: string): EndpointSlice {
  return { ...sliceOf(name, []), ports: [] };
}

describe("what a slice contains", () => {
  it("an endpoint with its conditions, pod, node and zone", () => {
    expect(plan([{ name: "a", node: "n1", hostname: "h", subdomain: "web" }]).create).toEqual([
      {
        metadata: {
          generateName: "web-",
          namespace: "default",
          labels: {
            "kubernetes.io/service-name": "web",
            "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
          },
          ownerReferences: [
            {
              apiVersion: "v1",
              kind: "Service",
              name: "web",
              uid: "uid-web",
              controller: true,
              blockOwnerDeletion: true,
            },
          ],
        },
        addressType: "IPv4",
        ports: [{ name: "http", protocol: "TCP", port: 8080 }],
        endpoints: [
          {
            addresses: ["10.0.0.1"],
            conditions: { ready: true, serving: true, terminating: false },
            hostname: "h",
            nodeName: "n1",
            zone: "zone-of-n1",
            targetRef: { kind: "Pod", namespace: "default", name: "a", uid: "uid-a" },
          },
        ],
      },
    ]);
  });
  const conditions: { name: string; pod: TestPod; publish?: boolean; is: object }[] = [
    { name: "ready", pod: {}, is: { ready: true, serving: true, terminating: false } },
    { name: "not ready", pod: { isReady: false }, is: { ready: false, serving: false, terminating: false } },
    { name: "serving until it ends", pod: { isGoing: true }, is: { ready: false, serving: true, terminating: true } },
    {
      name: "published all the same",
      pod: { isReady: false, isGoing: true },
      publish: true,
      is: { ready: true, serving: false, terminating: true },
    },
  ];
  for (const { name, pod, publish = false, is } of conditions)
    it(`a pod that is ${name}`, () => {
      const service = testService({ publishNotReadyAddresses: publish });
      expect(plan([pod], [], { service }).create[0]?.endpoints?.[0]?.conditions).toEqual(is);
    });
  it("pods whose named ports differ are in different slices", () => {
    const service = testService({ ports: [{ name: "http", port: 80, targetPort: "web", protocol: "TCP" }] });
    const pods = [
      { name: "a", ips: ["10.0.0.1"], ports: { web: 81 } },
      { name: "b", ips: ["10.0.0.2"], ports: { web: 82 } },
      { name: "c", ips: ["10.0.0.3"], ports: { web: 81 } },
    ];
    const { create } = plan(pods, [], { service });
    expect(create.map((slice) => [slice.ports?.[0]?.port, slice.endpoints?.length])).toEqual([
      [81, 2],
      [82, 1],
    ]);
  });
  it("a pod without the named port is listed without it", () => {
    const service = testService({ ports: [{ name: "http", port: 80, targetPort: "web", protocol: "TCP" }] });
    expect(plan([{}], [], { service }).create.map((slice) => slice.ports)).toEqual([[]]);
  });
  it("a headless service without ports has endpoints without ports", () => {
    const { create } = plan([{}], [], { service: testService({ clusterIP: "None", ports: [] }) });
    expect(create.map((slice) => [slice.ports, slice.endpoints?.length])).toEqual([[[], 1]]);
    expect(create[0]?.metadata?.labels).toHaveProperty(["service.kubernetes.io/headless"], "");
  });
  it("a pod without an address of the family is left out", () =>
    expect(sizes(plan([{ ips: ["fd00::1"] }]).create)).toEqual([0]));
});

describe("pods of nodes that are not known", () => {
  it("are left out and reported", () => {
    const result = plan([
      { name: "a", ips: ["10.0.0.1"] },
      { name: "b", ips: ["10.0.0.2"], node: "gone" },
    ]);
    expect(sizes(result.create)).toEqual([1]);
    expect(result.nodeless.map(({ metadata }) => metadata?.name)).toEqual(["b"]);
  });
  it("are published where not ready pods are", () => {
    const service = testService({ publishNotReadyAddresses: true });
    const result = plan([{ name: "b", node: "gone" }], [], { service });
    expect([sizes(result.create), result.nodeless]).toEqual([[1], []]);
  });
});

describe("labels", () => {
  it("are the service's, but for the reserved ones", () => {
    const service = testService(
      {},
      { app: "web", "kubernetes.io/service-name": "x", "service.kubernetes.io/headless": "x" },
    );
    expect(sliceLabels(service)).toEqual({
      app: "web",
      "kubernetes.io/service-name": "web",
      "endpointslice.kubernetes.io/managed-by": "endpointslice-controller.k8s.io",
    });
  });
  it("follow the service's", () => {
    const { update } = plan([], [emptySlice("e")], { service: testService({}, { tier: "front" }) });
    const relabelled = nodeless(names(1), [
      { ...sliceOf("a", names(1)), metadata: { ...sliceOf("a", []).metadata, labels: { x: "y" } } },
    ]);
    expect(update).toEqual([]);
    expect(relabelled.update.map(({ metadata }) => metadata?.labels)).toEqual([sliceLabels(testService())]);
  });
});

it("the families of an old server's service follow from its cluster IP", () => {
  expect(familiesOf(testService({ ipFamilies: ["IPv6", "IPv4"] }))).toEqual(["IPv6", "IPv4"]);
  expect(familiesOf(testService({ ipFamilies: [], clusterIP: "fd00::1" }))).toEqual(["IPv6"]);
  expect(familiesOf(testService({ ipFamilies: [], clusterIP: "None" }))).toEqual(["IPv4", "IPv6"]);
});

it("a slice that would be deleted is used again for one that would be created, if it belongs to the service", () => {
  const created = newSlice(testService(), { ports, addressType: "IPv4", endpoints: [] });
  const unused = sliceOf("unused", []);
  const changes = { create: [created], update: [], remove: [unused] };
  const { create, update, remove } = recycle(changes, () => true);
  expect([create.length, update.map(({ metadata }) => metadata?.name), remove.length]).toEqual([0, ["unused"], 0]);
  expect(recycle(changes, () => false)).toEqual(changes);
});

it("a name that is too long for a dash goes without", () => {
  expect(slicePrefix("web")).toBe("web-");
  expect(slicePrefix("a".repeat(254))).toBe("a".repeat(254));
});

it("what was added and removed is counted, and endpoints by their ports", () => {
  const pods = [...names(2, "a"), ...names(3, "b")];
  expect(nodeless(pods, [sliceOf("s", [...names(2, "a"), ...names(1, "c")])])).toMatchObject({
    added: 3,
    removed: 1,
    groupSizes: [5],
  });
});
