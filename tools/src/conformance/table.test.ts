import { expect, it } from "vitest";
import { formatTable } from "./table.js";

it("counts by area and gives the reason of those that did not pass", () => {
  const text = formatTable([
    { test: "[sig-apps] a", verdict: "passed", seconds: 1 },
    { test: "[sig-apps] b", verdict: "failed", seconds: 1, message: "\n  no such thing\nat line 3" },
    { test: "[sig-node] c", verdict: "skipped", seconds: 0 },
  ]);
  expect(text.split("\n")).toEqual([
    "      passed  failed  skipped",
    "apps       1       1        0",
    "node       0       0        1",
    "all        1       1        1",
    "",
    "failed: [sig-apps] b",
    "  no such thing at line 3",
    "",
    "skipped: [sig-node] c",
    "  no message",
  ]);
});
