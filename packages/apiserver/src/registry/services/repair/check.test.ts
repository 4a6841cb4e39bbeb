import { describe, expect, it } from "vitest";
import { addressObject } from "../address-object.js";
import { contains, parseRange } from "../ip-range.js";
import type { StoredService } from "../service.js";
import { checkAddress } from "./check-address.js";
import { checkService, type Holdings, type StoredAddress } from "./check-service.js";
import { planPorts } from "./plan-ports.js";

const now = Date.parse("2024-01-01T01:00:00Z");
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString();
const service = (name: string, ips: string[], spec: Partial<StoredService["spec"]> = {}): StoredService =>
  ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { namespace: "ns", name, creationTimestamp: ago(3600) },
    spec: { clusterIP: ips[0], clusterIPs: ips, ...spec },
  }) as StoredService;
const address = (
  ip: string,
  of: string,
  { parent = {}, labels, age = 3600 }: { parent?: object; labels?: Record<string, string>; age?: number } = {},
): StoredAddress => {
  const made = addressObject(service(of, [ip]), ip) as StoredAddress;
  return {
    ...made,
    metadata: { ...made.metadata, creationTimestamp: ago(age), ...(labels && { labels }) },
    spec: {
      parentRef: { ...made.spec?.parentRef, ...parent } as NonNullable<NonNullable<StoredAddress["spec"]>["parentRef"]>,
    },
  };
};
const holding = (addresses: readonly StoredAddress[], services: readonly StoredService[] = []): Holdings => ({
  addressOf: (name) => addresses.find(({ metadata }) => metadata.name === name),
  serviceOf: (namespace, name) =>
    services.find(({ metadata }) => metadata.namespace === namespace && metadata.name === name),
  isInRange: (ip) => ["10.0.0.0/24", "fd00::/112"].some((cidr) => contains(parseRange(cidr)!, ip)),
});

describe("what is wrong with the addresses of a service", () => {
  const a = service("a", ["10.0.0.5"]);
  const cases: {
    name: string;
    service?: StoredService;
    addresses?: StoredAddress[];
    others?: StoredService[];
    want: (string | undefined)[][];
  }[] = [
    { name: "its IPAddress names it: nothing", addresses: [address("10.0.0.5", "a")], want: [] },
    { name: "headless: nothing", service: service("a", ["None"]), want: [] },
    { name: "external: nothing", service: service("a", [], { type: "ExternalName" }), want: [] },
    {
      name: "no IPAddress: made",
      want: [
        ["10.0.0.5", "create", "ClusterIPNotAllocated", "Cluster IP [IPv4]: 10.0.0.5 is not allocated; repairing"],
      ],
    },
    {
      name: "one of two is missing: made",
      service: service("a", ["10.0.0.5", "fd00::5"]),
      addresses: [address("10.0.0.5", "a")],
      want: [["fd00::5", "create", "ClusterIPNotAllocated", "Cluster IP [IPv6]: fd00::5 is not allocated; repairing"]],
    },
    {
      name: "of no range: only reported",
      service: service("a", ["10.9.0.5"]),
      want: [
        [
          "10.9.0.5",
          "nothing",
          "ClusterIPOutOfRange",
          "Cluster IP [IPv4]: 10.9.0.5 is not within any configured Service CIDR; please recreate service",
        ],
      ],
    },
    {
      name: "held by a gateway: replaced",
      addresses: [address("10.0.0.5", "a", { parent: { group: "example.com", resource: "gateways" } })],
      want: [
        [
          "10.0.0.5",
          "replace",
          "ClusterIPNotAllocated",
          "the ClusterIP [IPv4]: 10.0.0.5 for Service ns/a has a wrong reference; repairing",
        ],
      ],
    },
    {
      name: "held by a service that is gone: replaced",
      addresses: [address("10.0.0.5", "b")],
      want: [
        [
          "10.0.0.5",
          "replace",
          "ClusterIPNotAllocated",
          "the ClusterIP [IPv4]: 10.0.0.5 for Service ns/a has a wrong reference; repairing",
        ],
      ],
    },
    {
      name: "held by another service that has it too: only reported",
      addresses: [address("10.0.0.5", "b")],
      others: [service("b", ["10.0.0.5"])],
      want: [
        [
          "10.0.0.5",
          "nothing",
          "ClusterIPAlreadyAllocated",
          "Cluster IP [IPv4]:10.0.0.5 was assigned to multiple services; please recreate service",
        ],
      ],
    },
    {
      name: "held by another service that does not have it: left to the look at addresses",
      addresses: [address("10.0.0.5", "b")],
      others: [service("b", ["10.0.0.6"])],
      want: [],
    },
    {
      name: "without its labels: replaced silently",
      addresses: [address("10.0.0.5", "a", { labels: { a: "b" } })],
      want: [["10.0.0.5", "replace", undefined, undefined]],
    },
  ];
  for (const c of cases) {
    it(c.name, () => {
      const checked = c.service ?? a;
      expect(
        checkService(checked, holding(c.addresses ?? [], [checked, ...(c.others ?? [])])).map((found) => [
          found.address,
          found.do,
          found.warning?.reason,
          found.warning?.note,
        ]),
      ).toEqual(c.want);
    });
  }
});

describe("what becomes of an IPAddress", () => {
  const has = [service("a", ["10.0.0.5"])];
  const cases: { name: string; address: StoredAddress; services?: StoredService[]; want: unknown }[] = [
    { name: "of a service that has it: stays", address: address("10.0.0.5", "a"), services: has, want: { do: "keep" } },
    { name: "of somebody else: stays", address: address("10.0.0.5", "a", { labels: {} }), want: { do: "keep" } },
    {
      name: "made for a service, names a gateway: goes",
      address: address("10.0.0.5", "a", { parent: { group: "g", resource: "gateways" } }),
      want: [
        "IPAddressNotAllocated",
        "IPAddress 10.0.0.5 appears to have been modified, not referencing a Service &ParentReference{Group:g,Resource:gateways,Namespace:ns,Name:a,}: cleaning up",
      ],
    },
    {
      name: "of a service that is not there: goes after a minute",
      address: address("10.0.0.5", "a", { age: 61 }),
      want: ["IPAddressNotAllocated", "IPAddress: 10.0.0.5 for Service ns/a appears to have leaked: cleaning up"],
    },
    {
      name: "of a service that is not there yet: looked at again",
      address: address("10.0.0.5", "a", { age: 20 }),
      want: { do: "look later", afterMs: 40_001 },
    },
    {
      name: "of a service that has another: goes",
      address: address("10.0.0.6", "a"),
      services: has,
      want: ["IPAddressWrongReference", "IPAddress: 10.0.0.6 for Service ns/a has a wrong reference; cleaning up"],
    },
    {
      name: "made just now for such a service: looked at again",
      address: address("10.0.0.6", "a", { age: 1 }),
      services: has,
      want: { do: "look later", afterMs: 5000 },
    },
    {
      name: "of an external service that gets an address: looked at again",
      address: address("10.0.0.6", "a", { age: 20 }),
      services: [service("a", [], { type: "ExternalName" })],
      want: { do: "look later", afterMs: 40_000 },
    },
  ];
  for (const c of cases) {
    it(c.name, () => {
      const verdict = checkAddress(c.address, holding([], c.services), now);
      expect(verdict.do === "remove" ? [verdict.warning.reason, verdict.warning.note] : verdict).toEqual(c.want);
    });
  }
});

describe("the record of node ports", () => {
  const range = { first: 30_000, last: 30_010 };
  const ports = (name: string, ...nodePorts: [number, string?][]): StoredService =>
    service(name, ["10.0.0.5"], {
      type: "NodePort",
      ports: nodePorts.map(([nodePort, protocol = "TCP"]) => ({ port: 80, nodePort, protocol: protocol as "TCP" })),
    });
  const plan = (services: StoredService[], used: number[], leaks: [number, number][] = []) => {
    const found = planPorts(services, new Set(used), { range, leaks: new Map(leaks) });
    return {
      used: found.used && [...found.used].sort(),
      warnings: found.warnings.map(
        ({ service: { metadata }, text }) => `${metadata.name} ${text.reason}: ${text.note}`,
      ),
      leaks: [...found.leaks],
    };
  };
  it("that is right stays", () =>
    expect(plan([ports("a", [30_001])], [30_001])).toEqual({ used: undefined, warnings: [], leaks: [] }));
  it("counts a number for two protocols once", () =>
    expect(plan([ports("a", [30_001], [30_001, "UDP"])], [30_001])).toEqual({
      used: undefined,
      warnings: [],
      leaks: [],
    }));
  it("gets the port that it lacks", () =>
    expect(plan([ports("a", [30_001])], [])).toEqual({
      used: [30_001],
      warnings: ["a PortNotAllocated: Port 30001 is not allocated; repairing"],
      leaks: [],
    }));
  it("cannot hold a port for two", () =>
    expect(plan([ports("a", [30_001]), ports("b", [30_001])], [30_001]).warnings).toEqual([
      "b PortAlreadyAllocated: Port 30001 was assigned to multiple services; please recreate service",
    ]));
  it("cannot hold a port of another range", () =>
    expect(plan([ports("a", [80])], []).warnings).toEqual([
      "a PortOutOfRange: Port 80 is not within the port range 30000-30010; please recreate service",
    ]));
  it("loses a port that nobody has when it was found so three times", () => {
    expect(plan([], [30_001])).toEqual({ used: undefined, warnings: [], leaks: [[30_001, 1]] });
    expect(plan([], [30_001], [[30_001, 1]])).toEqual({ used: undefined, warnings: [], leaks: [[30_001, 0]] });
    expect(plan([], [30_001], [[30_001, 0]])).toEqual({ used: [], warnings: [], leaks: [] });
  });
});
