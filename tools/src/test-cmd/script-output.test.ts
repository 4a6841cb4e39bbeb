import { describe, expect, it } from "vitest";
import type { Outcome } from "../conformance/outcome.js";
import { createScriptReader } from "./script-output.js";

const outcomesOf = (lines: readonly string[]): Outcome[] => {
  const outcomes: Outcome[] = [];
  let now = 0;
  const reader = createScriptReader(
    () => now++,
    (outcome) => outcomes.push(outcome),
  );
  for (const line of lines) reader.line(line);
  return outcomes;
};

describe("what upstream's recorder prints", () => {
  it("reports which function passed, and which failed for what reason", () => {
    const failed = [
      "Recording: run_b_tests",
      "+++ command: run_b_tests",
      "\u001B[31mFAIL!\u001B[0m",
      "Expected: a",
      "Got: b",
      "+++ exit code: 1",
      "+++ error: 1",
    ];
    expect(outcomesOf(["Recording: run_a_tests", "Successful", "\u001B(B\u001B[m+++ exit code: 0", ...failed])).toEqual(
      [
        { test: "run_a_tests", verdict: "passed", seconds: 1 },
        {
          test: "run_b_tests",
          verdict: "failed",
          seconds: 1,
          message: "Recording: run_b_tests\n+++ command: run_b_tests\nFAIL!\nExpected: a\nGot: b\n+++ exit code: 1",
        },
      ],
    );
  });

  it("takes no notice of the canary, which is meant to fail", () =>
    expect(outcomesOf(["Recording: record_command_canary", "+++ exit code: 127"])).toEqual([]));
});
