import type { Node } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { type PodRoutesFacts, parseRoutes, planPodRoutes, planRouteChanges } from "./plan-pod-routes.js";

const node = (name: string, address: string, ...podCIDRs: string[]): Node => ({
  metadata: { name },
  spec: { podCIDRs },
  status: { addresses: [{ type: "InternalIP", address }] },
});
const simulated: Node = {
  ...node("simulated", "10.223.0.99", "10.244.0.0/24"),
  status: {
    addresses: [{ type: "InternalIP", address: "10.223.0.99" }],
    nodeInfo: { containerRuntimeVersion: "simulated://1" } as never,
  },
};
const nodes = [
  node("a", "10.223.0.11", "10.232.0.0/24", "fd00::/64"),
  node("b", "10.223.0.12", "10.232.1.0/24"),
  node("new", "10.223.0.13"),
  node("far", "192.0.2.7", "10.232.9.0/24"),
  simulated,
];
const shown = (facts: Partial<PodRoutesFacts>): string[] =>
  planPodRoutes(nodes, {
    family: "IPv4",
    nodeName: undefined,
    links: ["10.223.0.0/24", "fd01::/64"],
    hasTunnel: false,
    ...facts,
  }).map(({ network, via, isTunnelled }) => `${network} ${isTunnelled ? "through" : "via"} ${via}`);

describe("routes to pods", () => {
  const behind = { network: "10.223.0.0/24", gateway: "192.0.2.1" };
  const cases: { name: string; facts: Partial<PodRoutesFacts>; routes: string[] }[] = [
    {
      name: "lead to each other node on the link, once it has a network",
      facts: { nodeName: "a" },
      routes: ["10.232.1.0/24 via 10.223.0.12"],
    },
    {
      name: "of a machine that is no node lead to all of them",
      facts: {},
      routes: ["10.232.0.0/24 via 10.223.0.11", "10.232.1.0/24 via 10.223.0.12"],
    },
    {
      name: "lead through a tunnel to nodes that share no link",
      facts: { nodeName: "a", hasTunnel: true },
      routes: ["10.232.1.0/24 via 10.223.0.12", "10.232.9.0/24 through 192.0.2.7"],
    },
    {
      name: "to machines behind another one lead through that, and so do routes to the machines",
      facts: { nodeName: "far", links: ["192.0.2.7/24"], hasTunnel: true, behind },
      routes: ["10.232.0.0/24 via 192.0.2.1", "10.232.1.0/24 via 192.0.2.1", "10.223.0.0/24 via 192.0.2.1"],
    },
    {
      name: "to machines behind another one that shares no link lead through a tunnel to it",
      facts: { nodeName: "far", links: ["198.51.100.0/24"], hasTunnel: true, behind },
      routes: ["10.232.0.0/24 through 192.0.2.1", "10.232.1.0/24 through 192.0.2.1", "10.223.0.0/24 through 192.0.2.1"],
    },
    {
      name: "of the machine that others are behind lead to them directly",
      facts: { links: ["10.223.0.1/24", "192.0.2.1/24"], hasTunnel: true, behind },
      routes: ["10.232.0.0/24 via 10.223.0.11", "10.232.1.0/24 via 10.223.0.12", "10.232.9.0/24 via 192.0.2.7"],
    },
  ];
  const dual = (name: string, address: string, network: string): Node => ({
    ...node(name, "10.223.0.11", "10.232.0.0/24", network),
    status: {
      addresses: [
        { type: "InternalIP", address: "10.223.0.11" },
        { type: "InternalIP", address },
      ],
    },
  });
  it("of IPv6 lead to those on the link that have an address and a network of it", () =>
    expect(
      planPodRoutes([...nodes, dual("d", "fd01::b", "fd02:0:0:1::/64"), dual("far", "fd09::b", "fd02:0:0:2::/64")], {
        family: "IPv6",
        nodeName: "a",
        links: ["10.223.0.0/24", "fd01::/64"],
        hasTunnel: false,
      }),
    ).toEqual([{ network: "fd02:0:0:1::/64", via: "fd01::b", isTunnelled: false }]));

  for (const { name, facts, routes } of cases) it(name, () => expect(shown(facts)).toEqual(routes));

  it("are written where they are new or lead elsewhere, and go with their node", () => {
    const there = parseRoutes(
      "10.1.0.0/24 via 10.0.0.1 dev eth0\n10.2.0.0/24 via 10.0.0.2 dev eth0\n10.3.0.0/24 via 10.0.0.3\n10.4.0.0/24 via 10.0.0.4 dev t onlink\n",
      "t",
    );
    const wanted = [
      { network: "10.1.0.0/24", via: "10.0.0.1", isTunnelled: false },
      { network: "10.2.0.0/24", via: "10.0.0.9", isTunnelled: false },
      { network: "10.4.0.0/24", via: "10.0.0.4", isTunnelled: false },
    ];
    expect(planRouteChanges(there, wanted)).toEqual({ write: wanted.slice(1), remove: ["10.3.0.0/24"] });
  });
});
