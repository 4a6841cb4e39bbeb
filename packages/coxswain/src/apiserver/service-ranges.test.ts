import { describe, expect, it } from "vitest";
import { checkServiceRanges } from "./service-ranges.js";

describe("--service-cluster-ip-range", () => {
  const good = [["10.96.0.0/16"], ["10.96.0.0/16", "fd00::/108"], ["fd00::/108"], ["10.0.0.0/29"]];
  for (const ranges of good) it(`takes ${ranges.join(",")}`, () => expect(checkServiceRanges(ranges)).toBe(ranges));
  const bad = [
    { ranges: [], message: "at least one" },
    { ranges: ["zzz"], message: '"zzz" is no range' },
    { ranges: ["10.96.0.0"], message: "is no range" },
    { ranges: ["10.96.0.0/33"], message: "is no range" },
    { ranges: ["10.0.0.0/30"], message: "at least 8 addresses" },
    { ranges: ["10.0.0.0/16", "10.1.0.0/16"], message: "different IP family" },
    { ranges: ["10.0.0.0/16", "fd00::/108", "fd01::/108"], message: "more than two" },
  ];
  for (const { ranges, message } of bad)
    it(`refuses ${ranges.join(",") || "none"}`, () => expect(() => checkServiceRanges(ranges)).toThrow(message));
});
