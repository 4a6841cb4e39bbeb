import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { growthFlag } from "./heap-growth.js";

const run = (code: string) => spawnSync(process.execPath, ["-e", code], { encoding: "utf8" });

/** The engine's error about a flag that is set while it runs. */
const errorOf = (flag: string): string => run(`require("node:v8").setFlagsFromString("${flag}")`).stderr;

describe("heap growth", () => {
  it("is bound by a flag that this Node knows", () => {
    expect(errorOf("--heap-growing-by-magic")).toContain("--heap-growing-by-magic");
    expect(errorOf(growthFlag)).toBe("");
  });

  it("of the young generation ends with the launcher's flag for controllers", () => {
    const launcher = readFileSync(new URL("../../bin/coxswain.js", import.meta.url), "utf8");
    const flag = /"controller-manager"\) setFlagsFromString\("([^"]+)"\)/.exec(launcher)?.[1];
    const sizeWith = (set: string): number =>
      Number(
        run(`
          const v8 = require("node:v8");
          ${set};
          let kept = [];
          for (let at = 0; at < 1e6; at++) {
            kept.push({ at, list: [at] });
            if (kept.length > 20_000) kept = [];
          }
          console.log(v8.getHeapSpaceStatistics().find(({ space_name }) => space_name === "new_space").space_size);
        `).stdout,
      );
    expect(sizeWith("")).toBeGreaterThan(4e6);
    expect(sizeWith(`v8.setFlagsFromString("${flag}")`)).toBeLessThan(3e6);
  });
});
