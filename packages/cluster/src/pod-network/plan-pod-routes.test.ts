import type { Node } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { parseRoutes, planPodRoutes, planRouteChanges } from "./plan-pod-routes.js";

const node = (name: string, address: string, ...podCIDRs: string[]): Node => ({
  metadata: { name },
  spec: { podCIDRs },
  status: { addresses: [{ type: "InternalIP", address }] },
});
const nodes = [
  node("a", "10.223.0.11", "10.232.0.0/24", "fd00::/64"),
  node("b", "10.223.0.12", "10.232.1.0/24"),
  node("new", "10.223.0.13"),
  node("simulated", "172.18.0.2", "10.244.0.0/24"),
];

describe("routes to pods", () => {
  const nodeNetwork = "10.223.0.0/24";

  it("lead to the pods of each other node on the link, once it has a network", () =>
    expect(planPodRoutes(nodes, { nodeName: "a", nodeNetwork })).toEqual([
      { network: "10.232.1.0/24", via: "10.223.0.12" },
    ]));

  it("of a machine that is no node lead to all of them", () =>
    expect(planPodRoutes(nodes, { nodeName: undefined, nodeNetwork }).map(({ via }) => via)).toEqual([
      "10.223.0.11",
      "10.223.0.12",
    ]));

  it("are written where they are new or lead elsewhere, and go with their node", () => {
    const there = parseRoutes(
      "10.1.0.0/24 via 10.0.0.1 dev eth0\n10.2.0.0/24 via 10.0.0.2 dev eth0\n10.3.0.0/24 via 10.0.0.3\n",
    );
    const wanted = [
      { network: "10.1.0.0/24", via: "10.0.0.1" },
      { network: "10.2.0.0/24", via: "10.0.0.9" },
    ];
    expect(planRouteChanges(there, wanted)).toEqual({ write: wanted.slice(1), remove: ["10.3.0.0/24"] });
  });
});
