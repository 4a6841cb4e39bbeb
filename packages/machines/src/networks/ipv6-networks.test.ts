import { describe, expect, it } from "vitest";
import { ipv6AddressIn, planIpv6Networks, prefixLengthOf } from "./ipv6-networks.js";

describe("the IPv6 networks of a cluster", () => {
  const networks = planIpv6Networks("a1b2c3");

  it("follow from its id", () =>
    expect(networks).toEqual({
      nodes: "fdc5:a1b2:c301::/64",
      pods: "fdc5:a1b2:c301:100::/56",
      services: "fdc5:a1b2:c301:200::/108",
    }));

  it("are written as the kernel prints them, so that routes are found again", () =>
    expect(planIpv6Networks("000a00").nodes).toBe("fdc5:a:1::/64"));

  it("number their addresses", () => expect(ipv6AddressIn(networks.nodes, 26)).toBe("fdc5:a1b2:c301::1a"));

  it("have the length that they name", () => expect(prefixLengthOf(networks.pods)).toBe(56));
});
