import { describe, expect, it } from "vitest";
import { addressIn, networksOfRoutes, networksOverlap } from "../networks/ipv4-network.js";
import { chooseNetworks } from "./choose-networks.js";

describe("the networks of machines and pods", () => {
  const cases = [
    {
      name: "are the first ones of a machine without others",
      taken: [],
      nodes: "10.223.0.0/24",
      pods: "10.232.0.0/16",
    },
    {
      name: "are those that no route leads to",
      taken: ["10.223.0.0/24", "10.232.4.0/24", "10.233.0.0/16"],
      nodes: "10.223.1.0/24",
      pods: "10.234.0.0/16",
    },
    {
      name: "are those that were asked for",
      taken: ["10.223.0.0/24"],
      asked: { nodes: "192.168.7.0/24" },
      nodes: "192.168.7.0/24",
      pods: "10.232.0.0/16",
    },
  ];
  for (const { name, taken, asked, nodes, pods } of cases)
    it(name, () => expect(chooseNetworks(taken, asked)).toEqual({ nodes, pods }));

  it("are large ones for a thousand nodes", () =>
    expect(chooseNetworks(["10.233.0.0/16"], {}, 1000).pods).toBe("10.236.0.0/14"));

  it("cannot be chosen where all are taken", () =>
    expect(() => chooseNetworks(["10.0.0.0/8"])).toThrow("name one by --node-network"));

  it("of a routing table leave out the default route", () =>
    expect(networksOfRoutes("default via 10.0.2.2 dev eth0\n10.0.2.0/24 dev eth0\n10.9.9.9 via 10.0.2.7\n")).toEqual([
      "10.0.2.0/24",
      "10.9.9.9",
    ]));

  const pairs = [
    { left: "10.0.0.0/8", right: "10.9.9.9", overlap: true },
    { left: "10.0.0.0/24", right: "10.0.1.0/24", overlap: false },
    { left: "255.255.255.255/32", right: "255.255.255.0/24", overlap: true },
    { left: "fd00::/64", right: "10.0.0.0/8", overlap: false },
  ];
  for (const { left, right, overlap } of pairs)
    it(`${left} and ${right} ${overlap ? "overlap" : "do not overlap"}`, () =>
      expect(networksOverlap(left, right)).toBe(overlap));

  it("number their addresses", () => expect(addressIn("10.223.1.0/24", 11)).toBe("10.223.1.11"));
});
