import { createSeededRandom } from "@coxswain/runtime/random";
import { describe, expect, it } from "vitest";
import { runTarget } from "./fuzz-run.js";
import { BrokenPromise, type FuzzTarget, seed, textOf } from "./fuzz-target.js";

const fragile: FuzzTarget = {
  name: "fragile",
  seeds: [seed("abc")],
  words: ["boom"],
  run(input) {
    if (textOf(input).includes("boom")) throw new BrokenPromise("it broke");
    return true;
  },
};

describe("a fuzzing run", () => {
  it("finds an input that breaks a promise, and keeps it", async () => {
    const random = createSeededRandom("run");
    const { findings } = await runTarget(fragile, { random, isOver: (executions) => executions > 5_000 });
    expect(findings).toHaveLength(1);
    expect(textOf(findings[0]!.input)).toContain("boom");
  });
  it("ends when it is over", async () => {
    const random = createSeededRandom("run");
    const calm = { ...fragile, run: () => true };
    const { executions, accepted } = await runTarget(calm, { random, isOver: (done) => done >= 100 });
    expect({ executions, accepted }).toEqual({ executions: 100, accepted: 100 });
  });
  it("keeps inputs that reach new code", async () => {
    let block = 0;
    const counter = { take: () => ({ total: 1, blocks: new Map([[String(block), 1]]) }), stop() {} };
    const growing = { ...fragile, run: (input: Uint8Array) => ((block = Math.min(input.length, 20)), true) };
    const { corpus, blocks } = await runTarget(growing, {
      random: createSeededRandom("run"),
      counter,
      isOver: (executions) => executions > 2_000,
    });
    expect(corpus.length).toBeGreaterThan(10);
    expect(blocks).toBeGreaterThan(10);
  });
});
