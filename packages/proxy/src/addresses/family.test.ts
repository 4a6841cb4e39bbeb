import { describe, expect, it } from "vitest";
import { addressesOf, networksOf, readAddress, readNetwork } from "./family.js";

describe("addresses", () => {
  const rows = [
    { text: "010.0.0.1", is: { family: "IPv4", text: "10.0.0.1" } },
    { text: "::ffff:10.0.0.1", is: { family: "IPv4", text: "10.0.0.1" } },
    { text: "FD00:0::1", is: { family: "IPv6", text: "fd00::1" } },
    { text: "255.250.199.0", is: { family: "IPv4", text: "255.250.199.0" } },
    { text: "10.0.0.256", is: undefined },
    { text: "10.0.0.1.", is: undefined },
    { text: "10.0.0", is: undefined },
    { text: "", is: undefined },
  ];
  for (const { text, is } of rows)
    it(`"${text}" is ${is?.text ?? "no address"}`, () => expect(readAddress(text)).toEqual(is));

  it("of one family are found among others", () =>
    expect(addressesOf("IPv6", ["10.0.0.1", "fd00::1", "x"])).toEqual(["fd00::1"]));
});

describe("networks", () => {
  const rows = [
    { network: "10.1.2.3/8", address: "10.200.0.1", inside: true },
    { network: "10.1.2.3/8", address: "11.0.0.1", inside: false },
    { network: "10.1.2.128/25", address: "10.1.2.127", inside: false },
    { network: "0.0.0.0/0", address: "1.2.3.4", inside: true },
    { network: "0.0.0.0/0", address: "fd00::1", inside: false },
    { network: "fd00:1::/33", address: "fd00:1:7fff::1", inside: true },
    { network: "fd00:1::/33", address: "fd00:1:8000::1", inside: false },
  ];
  for (const { network, address, inside } of rows)
    it(`${address} is ${inside ? "inside" : "outside"} ${network}`, () =>
      expect(readNetwork(network)?.contains(address)).toBe(inside));

  it("lose the bits behind their prefix and blanks around them", () =>
    expect(networksOf("IPv4", [" 10.1.2.3/8 ", "fd00::/8", "junk"]).map(({ text }) => text)).toEqual(["10.0.0.0/8"]));
});
