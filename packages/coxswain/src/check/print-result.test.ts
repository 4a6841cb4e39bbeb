import { describe, expect, it } from "vitest";
import type { CheckResult } from "./finding.js";
import { printResult } from "./print-result.js";

const result: CheckResult = {
  objects: [
    { file: "a b.yaml", line: 1, name: "Pod a" },
    { file: "a b.yaml", line: 9, name: "Pod b" },
  ],
  findings: [
    {
      level: "error",
      file: "a b.yaml",
      line: 3,
      object: "Pod a",
      field: "spec",
      reason: "Invalid",
      message: 'spec: <"&\u0007>',
    },
    { level: "warning", file: "a b.yaml", line: 9, object: "Pod b", reason: "Warning", message: "old" },
    { level: "error", file: "a b.yaml", line: 20, reason: "Unreadable", message: "yaml: line 2" },
  ],
};

describe("reports", () => {
  it("text has a line for each finding that editors open, and a summary", () =>
    expect(printResult("text", result)).toBe(
      'a b.yaml:3: error: Pod a: spec: <"&\u0007>\na b.yaml:9: warning: Pod b: old\na b.yaml:20: error: yaml: line 2\n2 objects, 2 errors, 1 warning\n',
    ));
  it("JSON has the findings and a summary", () =>
    expect(JSON.parse(printResult("json", result))).toEqual({
      summary: { objects: 2, errors: 2, warnings: 1, skipped: 0 },
      findings: result.findings,
    }));
  it("SARIF has a result for each finding, with its place", () => {
    const { version, runs } = JSON.parse(printResult("sarif", result)) as {
      version: string;
      runs: [{ tool: { driver: { rules: unknown } }; results: Record<string, unknown>[] }];
    };
    expect(version).toBe("2.1.0");
    expect(runs[0].tool.driver.rules).toEqual([{ id: "Invalid" }, { id: "Unreadable" }, { id: "Warning" }]);
    expect(runs[0].results[0]).toEqual({
      ruleId: "Invalid",
      level: "error",
      message: { text: 'Pod a: spec: <"&\u0007>' },
      locations: [{ physicalLocation: { artifactLocation: { uri: "a%20b.yaml" }, region: { startLine: 3 } } }],
    });
  });
  it("JUnit has a case for each object, and escapes what XML does not have", () =>
    expect(printResult("junit", result)).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="coxswain check">
  <testsuite name="a b.yaml" tests="3" failures="2">
    <testcase classname="a b.yaml" name="Pod a (line 1)">
      <failure type="Invalid" message="spec: &lt;&quot;&amp;\ufffd&gt;">a b.yaml:3: spec: &lt;&quot;&amp;\ufffd&gt;</failure>
    </testcase>
    <testcase classname="a b.yaml" name="Pod b (line 9)">
      <system-out>a b.yaml:9: old</system-out>
    </testcase>
    <testcase classname="a b.yaml" name="documents">
      <failure type="Unreadable" message="yaml: line 2">a b.yaml:20: yaml: line 2</failure>
    </testcase>
  </testsuite>
</testsuites>
`));
});
