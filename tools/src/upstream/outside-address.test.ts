import type { NetworkInterfaceInfo } from "node:os";
import { expect, it } from "vitest";
import { outsideAddress } from "./outside-address.js";

const at = (address: string, internal = false): NetworkInterfaceInfo => ({
  address,
  internal,
  family: "IPv4",
  netmask: "255.255.255.0",
  mac: "00:00:00:00:00:00",
  cidr: `${address}/24`,
});

for (const { name, addresses, found } of [
  { name: "loopback is no outside address", addresses: [at("127.0.0.1", true)], found: undefined },
  { name: "a link-local address neither", addresses: [at("169.254.1.1")], found: undefined },
  { name: "the first other one is taken", addresses: [at("127.0.0.1", true), at("192.0.2.7")], found: "192.0.2.7" },
])
  it(name, () => expect(outsideAddress({ any: addresses })).toBe(found));
