import type { EndpointAddress, EndpointSubset, Endpoints } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { servedPod, type TestPod, testService } from "../service-endpoints/service-endpoints.test.support.js";
import { planEndpoints, planSubsets } from "./plan.js";
import { truncateSubsets } from "./truncate.js";

const subsetsOf = (pods: readonly TestPod[], spec = {}) => planSubsets(testService(spec), pods.map(servedPod));
const ips = (list: readonly { ip: string }[] | undefined) => (list ?? []).map(({ ip }) => ip);
const summary = (pods: readonly TestPod[], spec = {}) =>
  subsetsOf(pods, spec).map(({ addresses, notReadyAddresses, ports }) => ({
    ready: ips(addresses),
    not: ips(notReadyAddresses),
    ports: (ports ?? []).map(({ port }) => port),
  }));

describe("which addresses are ready", () => {
  const rows: { name: string; pod: TestPod; publish?: boolean; is?: "ready" | "not" }[] = [
    { name: "that of a ready pod", pod: {}, is: "ready" },
    { name: "not that of a pod that is not ready", pod: { isReady: false }, is: "not" },
    { name: "a pod that is going is left out", pod: { isGoing: true } },
    { name: "a pod that has ended is left out", pod: { phase: "Succeeded" } },
    { name: "that of a pod that is not ready, where asked for", pod: { isReady: false }, publish: true, is: "ready" },
    { name: "that of a pod that is going, where asked for", pod: { isGoing: true }, publish: true, is: "ready" },
    { name: "one that has ended is left out all the same", pod: { phase: "Succeeded" }, publish: true },
    { name: "one without an address of the family is left out", pod: { ips: ["fd00::1"] } },
  ];
  for (const { name, pod, publish = false, is } of rows)
    it(name, () => {
      const found = summary([pod], { publishNotReadyAddresses: publish });
      const ip = ["10.0.0.1"];
      expect(found).toEqual(
        is === undefined ? [] : [{ ready: is === "ready" ? ip : [], not: is === "not" ? ip : [], ports: [8080] }],
      );
    });
});

describe("which ports there are", () => {
  it("those of the service, with the pod's numbers", () => {
    const ports = [
      { name: "a", port: 80, targetPort: "web", protocol: "TCP" as const },
      { name: "b", port: 81, targetPort: 9, protocol: "TCP" as const },
      { name: "c", port: 82, targetPort: "none", protocol: "TCP" as const },
    ];
    const [found] = summary([{ ports: { web: 8 } }], { ports });
    expect(found?.ports.sort()).toEqual([8, 9]);
  });
  it("none for a headless service without ports, and no addresses for another one", () => {
    expect(summary([{}], { ports: [], clusterIP: "None" })).toEqual([{ ready: ["10.0.0.1"], not: [], ports: [] }]);
    expect(summary([{}], { ports: [] })).toEqual([]);
  });
  it("TCP and UDP on the same number are two", () => {
    const ports = (["TCP", "UDP"] as const).map((protocol) => ({ name: protocol, port: 53, targetPort: 53, protocol }));
    expect(summary([{}], { ports })).toEqual([{ ready: ["10.0.0.1"], not: [], ports: [53, 53] }]);
  });
});

describe("the family", () => {
  const both = { ips: ["10.0.0.1", "fd00::1"] };
  const rows = [
    { name: "is the service's first", spec: { ipFamilies: ["IPv6", "IPv4"] }, ip: "fd00::1" },
    {
      name: "is the cluster IP's where the service has none",
      spec: { ipFamilies: [], clusterIP: "fd00::9" },
      ip: "fd00::1",
    },
    { name: "is IPv4 where nothing is known", spec: { ipFamilies: [], clusterIP: "None" }, ip: "10.0.0.1" },
  ];
  for (const { name, spec, ip } of rows) it(name, () => expect(summary([both], spec)[0]?.ready).toEqual([ip]));
});

describe("what is written", () => {
  const plan = (pods: readonly TestPod[], current?: Endpoints, labels?: Record<string, string>) =>
    planEndpoints({
      service: testService({}, labels),
      pods: pods.map(servedPod),
      current,
      triggerTime: "2026-01-01T00:00:00Z",
    });
  const written = plan([{}]) as Endpoints;
  it("new Endpoints with the service's labels, the controller's and the time", () =>
    expect(plan([{ hostname: "h", subdomain: "web" }], undefined, { app: "web" })).toEqual({
      metadata: {
        name: "web",
        labels: { app: "web", "endpoints.kubernetes.io/managed-by": "endpoint-controller" },
        annotations: { "endpoints.kubernetes.io/last-change-trigger-time": "2026-01-01T00:00:00Z" },
      },
      subsets: [
        {
          addresses: [
            {
              ip: "10.0.0.1",
              hostname: "h",
              nodeName: "n1",
              targetRef: { kind: "Pod", namespace: "default", name: "p", uid: "uid-p" },
            },
          ],
          ports: [{ name: "http", port: 8080, protocol: "TCP" }],
        },
      ],
    }));
  it("nothing where all is as it should be, also in another order, also with another resourceVersion of the pod", () => {
    expect(plan([{}], written)).toBeUndefined();
    const two = [
      { name: "a", ips: ["10.0.0.1"] },
      { name: "b", ips: ["10.0.0.2"] },
    ];
    const endpoints = plan(two) as Endpoints;
    for (const subset of endpoints.subsets ?? [])
      subset.addresses =
        subset.addresses
          ?.map((each) => ({ ...each, targetRef: { ...each.targetRef, resourceVersion: "9" } }))
          .reverse() ?? [];
    expect(plan(two, endpoints)).toBeUndefined();
  });
  it("labels that the service has no more, or somebody took away", () => {
    expect(plan([{}], written, { a: "b" })?.metadata?.labels).toHaveProperty("a", "b");
    const unlabelled = { ...written, metadata: { ...written.metadata, labels: {} } };
    expect(plan([{}], unlabelled)?.metadata?.labels).toEqual(written.metadata?.labels);
  });
  const marked = (value: string): Endpoints => ({
    ...written,
    metadata: { ...written.metadata, annotations: { "endpoints.kubernetes.io/over-capacity": value } },
  });
  it("a mark when there are more addresses than fit, corrected and removed as they change", () => {
    const many = Array.from({ length: 1001 }, (_, at) => ({ name: `p${at}`, ips: [`10.1.${at >> 8}.${at & 255}`] }));
    const mark = (endpoints: Endpoints | undefined) =>
      endpoints?.metadata?.annotations?.["endpoints.kubernetes.io/over-capacity"];
    const full = plan(many);
    expect(mark(full)).toBe("truncated");
    expect(full?.subsets?.[0]?.addresses).toHaveLength(1000);
    expect(plan(many, full)).toBeUndefined();
    expect(
      mark(
        plan(many, {
          ...full,
          metadata: { ...full?.metadata, annotations: { "endpoints.kubernetes.io/over-capacity": "warning" } },
        }),
      ),
    ).toBe("truncated");
    expect(mark(plan([{}], marked("truncated")))).toBeUndefined();
  });
});

describe("more than 1,000 addresses", () => {
  const addresses = (count: number): EndpointAddress[] => Array.from({ length: count }, () => ({ ip: "10.0.0.1" }));
  const subset = (ready: number, notReady: number): EndpointSubset => ({
    addresses: addresses(ready),
    notReadyAddresses: addresses(notReady),
  });
  const rows: { name: string; given: [number, number][]; kept: [number, number][] | undefined }[] = [
    { name: "none are cut at the limit", given: [[500, 500]], kept: undefined },
    {
      name: "those that are not ready are cut first",
      given: [
        [100, 1000],
        [100, 500],
      ],
      kept: [
        [100, 534],
        [100, 266],
      ],
    },
    {
      name: "those that are ready are cut in proportion, and the others left out",
      given: [
        [1000, 9],
        [500, 9],
      ],
      kept: [
        [667, 0],
        [333, 0],
      ],
    },
  ];
  for (const { name, given, kept } of rows)
    it(name, () =>
      expect(
        truncateSubsets(given.map(([ready, notReady]) => subset(ready, notReady)))?.map((each) => [
          each.addresses?.length ?? 0,
          each.notReadyAddresses?.length ?? 0,
        ]),
      ).toEqual(kept),
    );
});
