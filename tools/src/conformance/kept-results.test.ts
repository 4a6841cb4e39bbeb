import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openKeptResults, stillToRun } from "./kept-results.js";
import type { Outcome } from "./outcome.js";

const passed = (test: string): Outcome => ({ test, verdict: "passed", seconds: 1 });
const failed = (test: string): Outcome => ({ test, verdict: "failed", seconds: 2, message: "no" });

describe("kept results", () => {
  let folder = "";
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "kept-results-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  it("are there in the next run, the last outcome of each test", () => {
    const file = join(folder, "sub", "a.json");
    const first = openKeptResults(file);
    first.put(failed("a"));
    first.put(passed("a"));
    first.put(failed("b"));
    const second = openKeptResults(file);
    expect([second.get("a"), second.get("b"), second.get("c")]).toEqual([passed("a"), failed("b"), undefined]);
    expect(stillToRun(["a", "b", "c"], second, { retryFailed: false })).toEqual(["c"]);
    expect(stillToRun(["a", "b", "c"], second, { retryFailed: true })).toEqual(["b", "c"]);
    expect(openKeptResults(file, { fresh: true }).get("a")).toBeUndefined();
  });

  it("explain how to begin anew when the file is damaged", () => {
    const file = join(folder, "b.json");
    writeFileSync(file, "[");
    expect(() => openKeptResults(file)).toThrow(/--fresh/);
  });
});
