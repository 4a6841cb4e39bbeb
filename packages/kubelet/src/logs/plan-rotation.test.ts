import { describe, expect, it } from "vitest";
import { planRotation, rotatedName } from "./plan-rotation.js";

describe("rotated files of a log", () => {
  const cases = [
    { name: "none", rotated: [], maxFiles: 5, remove: "", compress: "" },
    { name: "the last one is compressed", rotated: ["1.gz", "2"], maxFiles: 5, remove: "", compress: "2" },
    { name: "the oldest go", rotated: ["4", "1.gz", "3.gz", "2.gz"], maxFiles: 5, remove: "1.gz", compress: "4" },
    { name: "with two files none stays", rotated: ["1.gz", "2"], maxFiles: 2, remove: "1.gz 2", compress: "" },
    {
      name: "an interrupted compression begins anew",
      rotated: ["1", "1.tmp"],
      maxFiles: 5,
      remove: "1.tmp",
      compress: "1",
    },
    { name: "what is compressed is not kept twice", rotated: ["1", "1.gz"], maxFiles: 5, remove: "1", compress: "" },
  ];
  for (const { name, rotated, maxFiles, remove, compress } of cases)
    it(name, () => {
      const plan = planRotation(rotated, maxFiles);
      expect(`${plan.remove.join(" ")} | ${plan.compress.join(" ")}`).toBe(`${remove} | ${compress}`);
    });
  it("names sort by time", () => {
    expect(rotatedName("/a/0.log", Date.UTC(2026, 10, 8, 9, 5, 7))).toBe("/a/0.log.20261108-090507");
  });
});
