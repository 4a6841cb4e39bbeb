import { describe, expect, it } from "vitest";
import { checkServiceRanges } from "./service-ranges.js";

describe("--service-cluster-ip-range", () => {
  const good = [["10.96.0.0/16"], ["10.96.0.0/16", "fd00::/108"], ["fd00::/108"], ["10.0.0.0/29"]];
  for (const ranges of good) it(`takes ${ranges.join(",")}`, () => expect(checkServiceRanges(ranges)).toBe(ranges));
  const bad = [
    { ranges: [], says: "at least one" },
    { ranges: ["zzz"], says: '"zzz" is no range' },
    { ranges: ["10.96.0.0"], says: "is no range" },
    { ranges: ["10.96.0.0/33"], says: "is no range" },
    { ranges: ["10.0.0.0/30"], says: "at least 8 addresses" },
    { ranges: ["10.0.0.0/16", "10.1.0.0/16"], says: "different IP family" },
    { ranges: ["10.0.0.0/16", "fd00::/108", "fd01::/108"], says: "more than two" },
  ];
  for (const { ranges, says } of bad)
    it(`refuses ${ranges.join(",") || "none"}`, () => expect(() => checkServiceRanges(ranges)).toThrow(says));
});
