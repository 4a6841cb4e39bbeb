import type { Service } from "@coxswain/api/core/v1";
import type { EndpointSlice } from "@coxswain/api/discovery/v1";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { addressPoolFrom } from "./address-pool.js";
import { backendsFor } from "./choose-backend.js";
import { type AddressPool, planLoadBalancers } from "./load-balancer-plan.js";
import { planIngress } from "./plan-status.js";
import { createSourceFilter } from "./source-ranges.js";

const range = addressPoolFrom("127.64.0.0/16")!;
const single: AddressPool = { kind: "single", address: "127.0.0.1" };

type Spec = NonNullable<Service["spec"]>;
const service = (name: string, spec: Partial<Spec> = {}, ip?: string, created = "2026-01-01T00:00:00Z"): Service => ({
  metadata: { name, namespace: "shop", creationTimestamp: created },
  spec: { type: "LoadBalancer", ports: [{ name: "http", port: 80, protocol: "TCP" }], ...spec },
  ...(ip !== undefined && { status: { loadBalancer: { ingress: [{ ip }] } } }),
});

const slices: EndpointSlice[] = [
  {
    metadata: { name: "web-1", namespace: "shop" },
    addressType: "IPv4",
    ports: [
      { name: "http", port: 8080, protocol: "TCP" },
      { name: "dns", port: 5353, protocol: "UDP" },
    ],
    endpoints: [{ addresses: ["10.0.0.1"] }, { addresses: ["10.0.0.2"], conditions: { ready: false } }],
  },
];

/** `name address:port/transport -> backends`, then `name port: error`. */
function plan(services: Service[], pool: AddressPool = range): string[] {
  const { listeners, refused } = planLoadBalancers(services, (key) => (key === "shop/web" ? slices : []), pool);
  return [
    ...listeners.map(
      (one) =>
        `${one.service} ${one.address}:${one.port}/${one.transport} -> ${one.backends.map(({ address, port }) => `${address}:${port}`).join(" ")}`,
    ),
    ...refused.map(({ service: key, port, error }) => `${key} ${port}: ${error}`),
  ];
}

const dns = [
  { name: "dns", port: 53, protocol: "UDP" as const },
  { name: "sctp", port: 54, protocol: "SCTP" as const },
];

const cases = [
  {
    name: "the first address goes to the first service, to its ready endpoints",
    services: [service("web")],
    is: ["shop/web 127.64.0.1:80/TCP -> 10.0.0.1:8080"],
  },
  {
    name: "UDP is served, SCTP is not",
    services: [service("web", { ports: dns })],
    is: ["shop/web 127.64.0.1:53/UDP -> 10.0.0.1:5353", "shop/web 54: ProtocolNotSupported"],
  },
  {
    name: "a service keeps its address",
    services: [service("a"), service("web", {}, "127.64.0.1")],
    is: ["shop/a 127.64.0.2:80/TCP -> ", "shop/web 127.64.0.1:80/TCP -> 10.0.0.1:8080"],
  },
  {
    name: "an address of another range is not kept",
    services: [service("web", {}, "127.0.0.1")],
    is: ["shop/web 127.64.0.1:80/TCP -> 10.0.0.1:8080"],
  },
  {
    name: "of two with one address the older one keeps it",
    services: [service("young", {}, "127.64.0.1", "2026-01-02T00:00:00Z"), service("old", {}, "127.64.0.1")],
    is: ["shop/old 127.64.0.1:80/TCP -> ", "shop/young 127.64.0.2:80/TCP -> "],
  },
  {
    name: "an address may be asked for",
    services: [service("web", { loadBalancerIP: "127.64.7.7" })],
    is: ["shop/web 127.64.7.7:80/TCP -> 10.0.0.1:8080"],
  },
  {
    name: "with one address for all the older service has the port",
    services: [service("young", {}, undefined, "2026-01-02T00:00:00Z"), service("old")],
    pool: single,
    is: ["shop/old 127.0.0.1:80/TCP -> ", "shop/young 80: PortInUse"],
  },
  {
    name: "our class is served",
    services: [service("web", { loadBalancerClass: "coxswain.dev/loopback" })],
    is: ["shop/web 127.64.0.1:80/TCP -> 10.0.0.1:8080"],
  },
  { name: "other classes are left alone", services: [service("web", { loadBalancerClass: "example.com/lb" })], is: [] },
  { name: "other types are left alone", services: [service("web", { type: "ClusterIP" })], is: [] },
  {
    name: "what is being deleted is released",
    services: [
      { ...service("web"), metadata: { name: "web", namespace: "shop", deletionTimestamp: "2026-01-01T00:00:00Z" } },
    ],
    is: [],
  },
  {
    name: "a range that is used up",
    services: [service("a"), service("b"), service("c")],
    pool: addressPoolFrom("127.64.0.0/30")!,
    is: ["shop/a 127.64.0.1:80/TCP -> ", "shop/b 127.64.0.2:80/TCP -> ", "shop/c 80: NoAddressLeft"],
  },
];

describe("planLoadBalancers", () => {
  for (const { name, services, pool, is } of cases) it(name, () => expect(plan(services, pool)).toEqual(is));

  it("shows the address and what is wrong with a port", () => {
    const web = service("web", { ports: [...dns, { name: "http", port: 80 }] });
    const planned = planLoadBalancers([web], () => [], range);
    const failed = [{ service: "shop/web", port: 80, protocol: "TCP", error: "PortNotPermitted", message: "" }];
    expect(planIngress(web, planned, failed)).toEqual([
      {
        ip: "127.64.0.1",
        ipMode: "Proxy",
        ports: [
          { port: 53, protocol: "UDP" },
          { port: 54, protocol: "SCTP", error: "ProtocolNotSupported" },
          { port: 80, protocol: "TCP", error: "PortNotPermitted" },
        ],
      },
    ]);
    expect(planIngress(service("other", { type: "ClusterIP" }), planned, [])).toEqual([]);
  });
});

describe("addresses of load balancers", () => {
  const pools = [
    { text: "127.64.0.0/16", is: { kind: "range", first: "127.64.0.1", last: "127.64.255.254" } },
    { text: "127.64.0.9/24", is: { kind: "range", first: "127.64.0.1", last: "127.64.0.254" } },
    { text: "127.0.0.1", is: { kind: "single", address: "127.0.0.1" } },
    { text: "::1", is: { kind: "single", address: "::1" } },
    { text: "127.0.0.0/31", is: undefined },
    { text: "0.0.0.0/0", is: undefined },
    { text: "localhost", is: undefined },
  ];
  for (const { text, is } of pools) it(`${text}`, () => expect(addressPoolFrom(text)).toEqual(is));
});

it("source ranges let their clients in, and no others", () => {
  const allow = createSourceFilter(["10.0.0.0/8", " 127.0.0.1/32", "fd00::/8"]);
  expect(["10.1.2.3", "127.0.0.1", "127.0.0.2", "fd00::1", "::1", "nonsense"].map(allow)).toEqual([
    true,
    true,
    false,
    true,
    false,
    false,
  ]);
  expect(createSourceFilter([])("192.0.2.1")).toBe(true);
});

it("a sticky service sends a client to one backend, and tries the others after it", () => {
  const backends = ["10.0.0.1", "10.0.0.2", "10.0.0.3"].map((address) => ({ address, port: 80 }));
  const random = createSeededRandom(1);
  const first = (isSticky: boolean, client: string) => backendsFor({ backends, isSticky }, client, random)[0]?.address;
  expect(new Set(Array.from({ length: 50 }, () => first(true, "127.0.0.1"))).size).toBe(1);
  expect(new Set(Array.from({ length: 50 }, () => first(false, "127.0.0.1"))).size).toBe(3);
  expect(new Set(backendsFor({ backends, isSticky: true }, "127.0.0.1", random))).toEqual(new Set(backends));
});
