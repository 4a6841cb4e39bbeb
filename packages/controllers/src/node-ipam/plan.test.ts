import { createMetrics } from "@coxswain/component/metrics";
import { describe, expect, it } from "vitest";
import { formatNetwork, parseNetwork } from "../networks/ip-network.js";
import type { NodeIpamSettings } from "../settings/node-ipam-settings.js";
import { createPoolMetrics } from "./metrics.js";
import { createNetworkPool, type NetworkPool } from "./network-pool.js";
import { clusterNetworks } from "./plan.js";

const network = (text: string) => {
  const parsed = parseNetwork(text);
  if (!parsed) throw new Error(text);
  return parsed;
};
const take = (pool: NetworkPool, count: number): (string | undefined)[] =>
  Array.from({ length: count }, () => {
    const next = pool.allocate();
    return next && formatNetwork(next);
  });

describe("networks of nodes", () => {
  it("are given one after the other, until none is left", () =>
    expect(take(createNetworkPool(network("10.0.0.0/22"), 24), 5)).toEqual([
      "10.0.0.0/24",
      "10.0.1.0/24",
      "10.0.2.0/24",
      "10.0.3.0/24",
      undefined,
    ]));
  it("of IPv6 too, across the middle of the address", () =>
    expect(take(createNetworkPool(network("fd00:1::/56"), 72), 3)).toEqual([
      "fd00:1::/72",
      "fd00:1:0:0:100::/72",
      "fd00:1:0:0:200::/72",
    ]));
  it("those that are taken are left out, and come again once they are released, after the others", () => {
    const pool = createNetworkPool(network("10.0.0.0/22"), 24);
    pool.occupy(network("10.0.1.0/24"));
    expect(take(pool, 1)).toEqual(["10.0.0.0/24"]);
    pool.release(network("10.0.0.0/24"));
    expect(take(pool, 4)).toEqual(["10.0.2.0/24", "10.0.3.0/24", "10.0.0.0/24", undefined]);
  });
  it("a larger network takes all in it, a smaller one the one that it is in", () => {
    const pool = createNetworkPool(network("10.0.0.0/22"), 24);
    pool.occupy(network("10.0.0.0/23"));
    pool.occupy(network("10.0.2.128/25"));
    expect(take(pool, 2)).toEqual(["10.0.3.0/24", undefined]);
    const whole = createNetworkPool(network("10.0.0.0/22"), 24);
    whole.occupy(network("10.0.0.0/8"));
    expect(take(whole, 1)).toEqual([undefined]);
  });
  it("one of the same size is given once, and again when it is released", () => {
    for (const text of ["127.123.234.0/30", "beef:1234::/30"]) {
      const pool = createNetworkPool(network(text), 30);
      expect(take(pool, 2)).toEqual([text, undefined]);
      pool.release(network(text));
      expect(take(pool, 2)).toEqual([text, undefined]);
    }
  });
  it("what is taken or released twice counts once", () => {
    const pool = createNetworkPool(network("10.42.0.0/16"), 24);
    const steps: [action: "occupy" | "release", text: string][] = [
      ["occupy", "10.42.5.0/24"],
      ["occupy", "10.42.9.0/24"],
      ["occupy", "10.42.8.0/22"], // one of the four is taken
      ["occupy", "10.42.9.0/24"],
      ["release", "10.42.9.0/24"],
      ["release", "10.42.9.0/24"],
      ["release", "10.42.4.0/22"], // one of the four was taken
    ];
    for (const [action, text] of steps) pool[action](network(text));
    expect(take(pool, 254).filter((given) => given !== undefined)).toHaveLength(256 - 3);
  });
  it("a network is read with the host part of its address", () =>
    expect(take(createNetworkPool(network("192.168.5.219/28"), 32), 2)).toEqual([
      "192.168.5.208/32",
      "192.168.5.209/32",
    ]));
  it("one that is outside is refused", () =>
    expect(() => createNetworkPool(network("10.0.0.0/22"), 24).occupy(network("10.1.0.0/24"))).toThrow(
      "cidr 10.1.0.0/24 is out the range of cluster cidr 10.0.0.0/22",
    ));
  it("too many parts of IPv6 are refused", () =>
    expect(() => createNetworkPool(network("fd00::/8"), 64)).toThrow("the node CIDR size is too big"));
});

it("networks that are taken and given back are counted", () => {
  const registry = createMetrics();
  const whole = network("10.0.0.0/22");
  const pool = createNetworkPool(whole, 24, createPoolMetrics(registry)(whole));
  pool.occupy(network("10.0.0.0/24"));
  pool.occupy(network("10.0.0.0/24"));
  pool.allocate();
  pool.release(network("10.0.0.0/24"));
  const values = registry
    .text()
    .split("\n")
    .filter((line) => /^node_ipam_.*_(total|max_cidrs|usage_cidrs|request_sum)\{/.test(line))
    .map((line) => line.replace(/node_ipam_controller_|\{.*\}/g, ""));
  expect(values).toEqual([
    "cidrset_allocation_tries_per_request_sum 1",
    "cidrset_cidrs_allocations_total 2",
    "cidrset_cidrs_releases_total 1",
    "cidrset_usage_cidrs 0.25",
    "cirdset_max_cidrs 4",
  ]);
});

describe("settings", () => {
  const rows: { name: string; settings: NodeIpamSettings; lengths?: number[]; error?: string }[] = [
    { name: "IPv4 is divided into /24", settings: { clusterCidrs: ["10.0.0.0/8"] }, lengths: [24] },
    { name: "IPv6 into /64", settings: { clusterCidrs: ["fd00::/56"] }, lengths: [64] },
    {
      name: "one size where there is one family",
      settings: { clusterCidrs: ["10.0.0.0/8"], maskSize: 26 },
      lengths: [26],
    },
    {
      name: "two sizes where there are two",
      settings: { clusterCidrs: ["fd00::/56", "10.0.0.0/8"], maskSizeIpv4: 25, maskSizeIpv6: 66 },
      lengths: [66, 25],
    },
    { name: "no network", settings: { clusterCidrs: [] }, error: "Must specify --cluster-cidr" },
    { name: "no such network", settings: { clusterCidrs: ["10.0.0.0"] }, error: "invalid CIDR address: 10.0.0.0" },
    {
      name: "two of the same family",
      settings: { clusterCidrs: ["10.0.0.0/8", "11.0.0.0/8"] },
      error: "not configured as dual stack",
    },
    {
      name: "three",
      settings: { clusterCidrs: ["10.0.0.0/8", "fd00::/56", "11.0.0.0/8"] },
      error: "more than max allowed of 2",
    },
    {
      name: "one size for two families",
      settings: { clusterCidrs: ["10.0.0.0/8", "fd00::/56"], maskSize: 24 },
      error: "not allowed with dual-stack clusters",
    },
    {
      name: "both kinds of sizes",
      settings: { clusterCidrs: ["10.0.0.0/8"], maskSize: 24, maskSizeIpv4: 24 },
      error: "is not allowed if --node-cidr-mask-size is set",
    },
    {
      name: "the size of the other family",
      settings: { clusterCidrs: ["10.0.0.0/8"], maskSizeIpv6: 64 },
      error: "single-stack IPv4 cluster",
    },
    {
      name: "the size of the other family, again",
      settings: { clusterCidrs: ["fd00::/56"], maskSizeIpv4: 24 },
      error: "single-stack IPv6 cluster",
    },
  ];
  for (const { name, settings, lengths, error } of rows)
    it(name, () => {
      if (error !== undefined) return expect(() => clusterNetworks(settings)).toThrow(error);
      expect(clusterNetworks(settings).map(({ nodeLength }) => nodeLength)).toEqual(lengths);
    });
});
