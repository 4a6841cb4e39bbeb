import { describe, expect, it } from "vitest";
import { codeOfType, nameOfType } from "./codes.js";
import { checkName, isInZone, splitLabels, trimRoot } from "./name.js";

describe("names", () => {
  it("are split at dots that are not escaped", () => {
    expect(splitLabels("a.b.c")).toEqual(["a", "b", "c"]);
    expect(splitLabels("a\\.b.c\\\\.d")).toEqual(["a\\.b", "c\\\\", "d"]);
    expect(splitLabels("")).toEqual([]);
  });

  const zones = [
    { name: "a.cluster.local", zone: "cluster.local", isIn: true },
    { name: "cluster.local", zone: "cluster.local", isIn: true },
    { name: "acluster.local", zone: "cluster.local", isIn: false },
    { name: "a\\.cluster.local", zone: "cluster.local", isIn: false },
    { name: "a\\\\.cluster.local", zone: "cluster.local", isIn: true },
    { name: "local", zone: "cluster.local", isIn: false },
    { name: "example.com", zone: "", isIn: true },
  ];
  for (const { name, zone, isIn } of zones)
    it(`${name} is ${isIn ? "" : "not "}in the zone "${zone}"`, () => expect(isInZone(name, zone)).toBe(isIn));

  it("lose a last dot, unless it is escaped", () => {
    expect(["a.b.", "a.b", ".", "a\\.", "a\\\\."].map(trimRoot)).toEqual(["a.b", "a.b", "", "a\\.", "a\\\\"]);
  });

  it("are checked before they are written", () => {
    expect(() => checkName("a.b")).not.toThrow();
    expect(() => checkName("")).not.toThrow();
    expect(() => checkName(`${"\\000".repeat(63)}.b`)).not.toThrow();
    expect(() => checkName("a..b")).toThrow("label of 0 octets");
    expect(() => checkName(`${"a".repeat(64)}.b`)).toThrow("label of 64 octets");
    expect(() => checkName(Array.from({ length: 128 }, () => "a").join("."))).toThrow("257 octets");
  });
});

it("types have names and numbers", () => {
  expect([nameOfType(1), nameOfType(1234)]).toEqual(["A", "TYPE1234"]);
  expect(["aaaa", "TYPE28", "TYPE70000", "toString", ""].map(codeOfType)).toEqual([
    28,
    28,
    undefined,
    undefined,
    undefined,
  ]);
});
