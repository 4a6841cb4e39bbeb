import { describe, expect, it } from "vitest";
import { formatTable } from "./format-table.js";
import { outcomeOf, type TestReport } from "./run-tests.js";

const report = (passed: number, failures: readonly string[] = []): TestReport => ({
  numTotalTests: passed + failures.length,
  numPassedTests: passed,
  numFailedTests: failures.length,
  testResults: [
    {
      name: "a.test.ts",
      status: failures.length > 0 ? "failed" : "passed",
      assertionResults: failures.map((fullName) => ({ fullName, status: "failed" })),
    },
  ],
});

describe("the table of Node versions", () => {
  const rows = [
    { name: "all passed", report: report(7), ended: true, want: { passed: true, text: "7 passed", details: [] } },
    {
      name: "a failed test is named",
      report: report(6, ["pods start"]),
      ended: false,
      want: { passed: false, text: "1 of 7 failed", details: ["a.test.ts: pods start"] },
    },
    {
      name: "a run in which everything was left out has tested nothing",
      report: report(0),
      ended: true,
      want: { passed: false, text: "not tested", details: [] },
    },
    {
      name: "a file that cannot be loaded is named",
      report: { ...report(3), testResults: [{ name: "b.test.ts", status: "failed", assertionResults: [] }] },
      ended: false,
      want: { passed: false, text: "3 passed", details: ["b.test.ts: could not be loaded"] },
    },
  ];
  for (const { name, report: found, ended, want } of rows)
    it(name, () => expect(outcomeOf(found, ended)).toEqual(want));

  it("has a row for each version, an empty cell for what was not asked for, and failures below", () =>
    expect(
      formatTable(
        ["tests", "start"],
        [
          { version: "v20.20.2", outcomes: { tests: outcomeOf(report(7), true) } },
          {
            version: "v24.21.0",
            outcomes: {
              tests: outcomeOf(report(6, ["x"]), false),
              start: { passed: true, text: "ready", details: [] },
            },
          },
        ],
      ).split("\n"),
    ).toEqual([
      "| Node | tests | start |",
      "| --- | --- | --- |",
      "| v20.20.2 | ✓ 7 passed |  |",
      "| v24.21.0 | ✗ 1 of 7 failed | ✓ ready |",
      "",
      "v24.21.0, tests: a.test.ts: x",
    ]));
});
