import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { growthFlag } from "./heap-growth.js";

/** The engine's value of a flag that is set while it runs. */
const complaint = (flag: string): string =>
  spawnSync(process.execPath, ["-e", `require("node:v8").setFlagsFromString("${flag}")`], { encoding: "utf8" }).stderr;

describe("heap growth", () => {
  it("is bound by a flag that this Node knows", () => {
    expect(complaint("--heap-growing-by-magic")).toContain("--heap-growing-by-magic");
    expect(complaint(growthFlag)).toBe("");
  });
});
