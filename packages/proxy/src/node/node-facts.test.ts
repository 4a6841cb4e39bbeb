import type { Node } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { completeConfig } from "../config/complete-config.js";
import { chooseNodePortAddresses, detectAddresses, detectPods } from "./node-facts.js";

const node = (...addresses: string[]): Node => ({
  status: {
    addresses: addresses.map((text) => ({ type: text.split(" ")[0] ?? "", address: text.split(" ")[1] ?? "" })),
  },
});

// cmd/kube-proxy/app/server_test.go, Test_detectNodeIPs.
describe("the node's addresses", () => {
  const rows = [
    { name: "IPv4 only", node: node("InternalIP 10.0.0.1"), is: ["IPv4", "10.0.0.1", "::1"] },
    { name: "IPv6 only", node: node("InternalIP fd00::1"), is: ["IPv6", "127.0.0.1", "fd00::1"] },
    {
      name: "the first one decides",
      node: node("InternalIP fd00::1", "InternalIP 10.0.0.1"),
      is: ["IPv6", "10.0.0.1", "fd00::1"],
    },
    {
      name: "internal before external",
      node: node("ExternalIP 1.1.1.1", "InternalIP 10.0.0.1"),
      is: ["IPv4", "10.0.0.1", "::1"],
    },
    { name: "no node", node: undefined, is: ["IPv4", "127.0.0.1", "::1"] },
    {
      name: "an address of its own",
      node: node("InternalIP 10.0.0.1"),
      bind: "fd00::7",
      is: ["IPv6", "10.0.0.1", "fd00::7"],
    },
    { name: "any address is none", node: node("InternalIP 10.0.0.1"), bind: "::", is: ["IPv4", "10.0.0.1", "::1"] },
  ];
  for (const row of rows)
    it(row.name, () => {
      const found = detectAddresses(row.node, row.bind ?? "0.0.0.0");
      expect([found.primary, found.IPv4, found.IPv6]).toEqual(row.is);
    });
});

describe("packets of pods", () => {
  const rows = [
    { name: "are not recognised without a network", config: {}, is: undefined },
    {
      name: "come from the cluster's network",
      config: { detectLocalMode: "ClusterCIDR", clusterCIDR: "fd00::/8,10.0.0.0/8" },
      is: "ip saddr 10.0.0.0/8",
    },
    { name: "come from the node's network", config: { detectLocalMode: "NodeCIDR" }, is: "ip saddr 10.1.0.0/24" },
    {
      name: "come from a bridge",
      config: { detectLocalMode: "BridgeInterface", detectLocal: { bridgeInterface: "br0" } },
      is: 'iifname "br0"',
    },
    {
      name: "come from interfaces",
      config: { detectLocalMode: "InterfaceNamePrefix", detectLocal: { interfaceNamePrefix: "veth" } },
      is: 'iifname "veth*"',
    },
  ];
  for (const { name, config, is } of rows)
    it(name, () => expect(detectPods(completeConfig(config), ["10.1.0.0/24"], "IPv4")?.is).toBe(is));
});

describe("addresses that accept node ports", () => {
  const about = {
    addresses: { primary: "IPv4", IPv4: "192.168.0.2", IPv6: "::1" } as const,
    own: ["127.0.0.1", "::1", "192.168.0.2", "10.0.0.5", "fd00::5"],
  };
  const rows = [
    { name: "all, if nothing is asked for", wanted: [], is: undefined },
    { name: "the node's primary one", wanted: ["primary"], is: ["192.168.0.2"] },
    { name: "those in a network", wanted: ["10.0.0.0/8"], is: ["10.0.0.5"] },
    { name: "loopback never", wanted: ["127.0.0.0/8"], is: [] },
    { name: "all, if the network is everything", wanted: ["10.0.0.0/8", "0.0.0.0/0"], is: undefined },
    { name: "all, if only the other family is limited", wanted: ["fd00::/8"], is: undefined },
  ];
  for (const { name, wanted, is } of rows)
    it(name, () => expect(chooseNodePortAddresses(wanted, "IPv4", about)).toEqual(is));
  it("all, if the node's primary one is not known", () =>
    expect(chooseNodePortAddresses(["primary"], "IPv6", about)).toBeUndefined());
});
