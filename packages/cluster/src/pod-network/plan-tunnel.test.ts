import { describe, expect, it } from "vitest";
import { parseLinks, parsePeers, planPeers, planTunnel, planTunnelAddress, tunnelMac } from "./plan-tunnel.js";

const text = (commands: readonly (readonly string[])[]): string[] => commands.map((command) => command.join(" "));

describe("the tunnel between machines", () => {
  it("is an interface with room for its headers", () =>
    expect(text(planTunnel({ name: "t", id: 7, address: "192.0.2.7", linkMtu: 1500 }))).toEqual([
      "ip link add t address 0a:c5:c0:00:02:07 mtu 1450 type vxlan id 7 dstport 8472 local 192.0.2.7 nolearning",
      "ip link set t up",
    ]));

  const address = "ip address replace 10.232.9.0/32 dev t";
  const shown = "3: t    inet 10.232.9.0/32 scope global t";
  const cases: { name: string; shown: string; podNetwork: string | undefined; commands: string[] }[] = [
    { name: "no address before the Node has a network", shown: "", podNetwork: undefined, commands: [] },
    { name: "one as soon as it has", shown: "", podNetwork: "10.232.9.0/24", commands: [address] },
    { name: "none a second time", shown, podNetwork: "10.232.9.0/24", commands: [] },
  ];
  for (const { name, shown, podNetwork, commands } of cases)
    it(`gets ${name}`, () => expect(text(planTunnelAddress("t", shown, podNetwork))).toEqual(commands));

  it("gets and loses peers, whose hardware addresses follow from their own", () =>
    expect(text(planPeers("t", ["192.0.2.1", "192.0.2.2"], ["192.0.2.2", "192.0.2.3"]))).toEqual([
      "ip neighbor delete 192.0.2.1 dev t",
      `bridge fdb delete ${tunnelMac("192.0.2.1")} dev t dst 192.0.2.1`,
      "bridge fdb replace 0a:c5:c0:00:02:03 dev t dst 192.0.2.3 self permanent",
      "ip neighbor replace 192.0.2.3 lladdr 0a:c5:c0:00:02:03 dev t nud permanent",
    ]));

  it("is known from what ip prints", () =>
    expect(parsePeers("192.0.2.1 lladdr 0a:c5:c0:00:02:01 PERMANENT\n\n")).toEqual(["192.0.2.1"]));
});

it("links are interfaces with a network", () =>
  expect(
    parseLinks(
      JSON.stringify([
        { ifname: "lo", mtu: 65536, addr_info: [{ local: "127.0.0.1", prefixlen: 8 }] },
        { ifname: "eth0", mtu: 1400, addr_info: [{ local: "192.0.2.7", prefixlen: 24 }] },
        { ifname: "t", addr_info: [{ local: "10.232.9.0", prefixlen: 32 }] },
        {},
      ]),
    ),
  ).toEqual([{ name: "eth0", network: "192.0.2.7/24", mtu: 1400 }]));
