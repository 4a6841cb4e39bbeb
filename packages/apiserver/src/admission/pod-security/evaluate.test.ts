import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { PodUnderCheck } from "./check.js";
import { evaluatePod, showDetails, showReasons } from "./evaluate.js";

interface Answer {
  from: number;
  reason: string;
  detail: string;
}
interface Row {
  annotations?: Record<string, string>;
  spec: PodUnderCheck["spec"];
  baseline: Answer[];
  restricted: Answer[];
}

/** The verdicts of upstream's library on the pods of its own fixtures, by version; made by tools/answers/pod-security. */
const rows = JSON.parse(readFileSync(new URL("testdata/answers.json", import.meta.url), "utf8")) as Row[];
const latest = 99;

describe("the checks return what upstream's return", () => {
  for (const level of ["baseline", "restricted"] as const) {
    it(`at the ${level} level, of every fixture, at every version`, () => {
      for (const row of rows) {
        const pod = { metadata: { ...(row.annotations && { annotations: row.annotations }) }, spec: row.spec };
        for (let minor = 0; minor <= latest; minor++) {
          const violations = evaluatePod({ level, version: minor === latest ? "latest" : minor }, pod);
          const expected = row[level].findLast(({ from }) => from <= minor);
          expect({ minor, spec: row.spec, reason: showReasons(violations), detail: showDetails(violations) }).toEqual({
            minor,
            spec: row.spec,
            reason: expected?.reason,
            detail: expected?.detail,
          });
        }
      }
    });
  }

  it("and nothing of a pod that may do everything", () =>
    expect(
      evaluatePod(
        { level: "privileged", version: "latest" },
        { metadata: {}, spec: { hostPID: true, containers: [] } },
      ),
    ).toEqual([]));
});
