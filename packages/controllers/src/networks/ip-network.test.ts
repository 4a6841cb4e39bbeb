import { describe, expect, it } from "vitest";
import { containsNetwork, formatNetwork, overlaps, parseNetwork } from "./ip-network.js";

const network = (text: string) => {
  const parsed = parseNetwork(text);
  if (!parsed) throw new Error(text);
  return parsed;
};

describe("networks", () => {
  for (const [text, canonical] of [
    ["10.1.2.3/16", "10.1.0.0/16"],
    ["fd00:0:0::1/64", "fd00::/64"],
    ["0.0.0.0/0", "0.0.0.0/0"],
    ["::ffff:10.0.0.1/104", "10.0.0.0/8"],
  ] as const)
    it(`${text} is ${canonical}`, () => expect(formatNetwork(network(text))).toBe(canonical));
  it("what is no network is none", () =>
    expect(["10.0.0.1", "x/8", "10.0.0.0/33"].map(parseNetwork)).toEqual([undefined, undefined, undefined]));
  it("overlap when one is in the other, of the same family", () => {
    expect(overlaps(network("10.0.0.0/8"), network("10.1.0.0/16"))).toBe(true);
    expect(overlaps(network("10.0.0.0/16"), network("10.1.0.0/16"))).toBe(false);
    expect(overlaps(network("0.0.0.0/0"), network("::/0"))).toBe(false);
    expect(containsNetwork(network("10.1.0.0/16"), network("10.0.0.0/8"))).toBe(false);
    expect(containsNetwork(network("10.1.0.0/16"), network("10.1.0.0/16"))).toBe(true);
  });
});
