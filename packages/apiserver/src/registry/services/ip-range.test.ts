import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { createAddressPool } from "./address-pool.js";
import { contains, formatAddress, parseAddress, parseRange } from "./ip-range.js";

const at = (text: string) => parseAddress(text) ?? expect.unreachable(text);
const range = (cidr: string) => parseRange(cidr) ?? expect.unreachable(cidr);

describe("ranges of service addresses", () => {
  const cases = [
    { cidr: "10.0.0.0/24", first: "10.0.0.1", last: "10.0.0.254", dynamicFrom: "10.0.0.17" },
    { cidr: "10.96.0.0/16", first: "10.96.0.1", last: "10.96.255.254", dynamicFrom: "10.96.1.1" },
    { cidr: "10.0.0.0/28", first: "10.0.0.1", last: "10.0.0.14", dynamicFrom: "10.0.0.1" },
    { cidr: "fd00::/112", first: "fd00::1", last: "fd00::ffff", dynamicFrom: "fd00::101" },
  ];
  for (const { cidr, first, last, dynamicFrom } of cases) {
    it(cidr, () => {
      const { family, ...found } = range(cidr);
      expect([found.first, found.last, found.dynamicFrom].map((value) => formatAddress({ family, value }))).toEqual([
        first,
        last,
        dynamicFrom,
      ]);
    });
  }
  it("hold neither their network nor their broadcast address", () => {
    expect(
      ["10.0.0.0", "10.0.0.255", "10.0.1.1", "fd00::1"].filter((ip) => contains(range("10.0.0.0/24"), at(ip))),
    ).toEqual([]);
    expect(contains(range("fd00::/112"), at("fd00::ffff"))).toBe(true);
  });
  it("nothing is made of what is none", () =>
    expect([parseRange("10.0.0.0"), parseRange("x/3"), parseAddress("x")]).toEqual([undefined, undefined, undefined]));
});

describe("the pool of service addresses", () => {
  const cidr = (name: string, cidrs: string[], more: object = {}) =>
    ({
      apiVersion: "networking.k8s.io/v1",
      kind: "ServiceCIDR",
      metadata: { name },
      spec: { cidrs },
      ...more,
    }) as KubernetesObject & { spec: { cidrs: string[] } };
  const pool = (cidrs: KubernetesObject[], taken: string[] = []) =>
    createAddressPool({
      cidrs: cidrs as never,
      isTaken: (name) => taken.includes(name),
      random: createSeededRandom(1),
    });
  const all = (ranges: KubernetesObject[]): string[] => {
    const taken: string[] = [];
    try {
      for (;;) taken.push(pool(ranges, taken).next("IPv4"));
    } catch {
      return taken.sort();
    }
  };

  it("gives out every address of a range, and then of the next", () => {
    expect(all([cidr("a", ["10.0.0.0/29"]), cidr("b", ["10.0.1.0/30"])])).toEqual([
      "10.0.0.1",
      "10.0.0.2",
      "10.0.0.3",
      "10.0.0.4",
      "10.0.0.5",
      "10.0.0.6",
      "10.0.1.1",
      "10.0.1.2",
    ]);
  });
  it("leaves the first ones to those who ask for them, as long as it can", () => {
    const given = Array.from({ length: 50 }, (_, seed) =>
      createAddressPool({
        cidrs: [cidr("a", ["10.0.0.0/24"])] as never,
        isTaken: () => false,
        random: createSeededRandom(seed),
      }).next("IPv4"),
    );
    expect(given.filter((ip) => Number(ip.split(".")[3]) < 17)).toEqual([]);
  });
  const refused = [
    {
      name: "a range that is not ready",
      from: [cidr("a", ["10.0.0.0/24"], { status: { conditions: [{ type: "Ready", status: "False" }] } })],
      taken: [],
      message: "the provided network does not match the current range",
    },
    {
      name: "a range that is being deleted",
      from: [cidr("a", ["10.0.0.0/24"], { metadata: { name: "a", deletionTimestamp: "2030-01-01T00:00:00Z" } })],
      taken: [],
      message: "the provided network does not match the current range",
    },
    {
      name: "an address that is taken",
      from: [cidr("a", ["10.0.0.0/24"])],
      taken: ["10.0.0.9"],
      message: "provided IP is already allocated",
    },
  ];
  for (const { name, from, taken, message } of refused)
    it(`refuses ${name}`, () => expect(() => pool(from, taken).check(at("10.0.0.9"))).toThrow(message));
});
