import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { type ConformanceCase } from "./case.js";
import { gaps } from "./gaps.js";
import { runCase } from "./run-case.js";

// The specification's own cases (module cel.dev/expr, tests/simple), as tools/answers/cel writes them: `go run . conformance | gzip -9n`.
const file = new URL("testdata/conformance.json.gz", import.meta.url);
const cases = JSON.parse(gunzipSync(readFileSync(file)).toString()) as ConformanceCase[];

const nameOf = (one: ConformanceCase): string => `${one.file}/${one.section}/${one.name}`;

describe("the specification's conformance tests", () => {
  it("are more than two thousand", () => expect(cases.length).toBeGreaterThan(2_000));

  it("pass, except for the gaps", () => {
    const failures = cases
      .filter((one) => !gaps.some((gap) => gap.covers(one)))
      .flatMap((one) => {
        const problem = runCase(one);
        return problem === undefined ? [] : [`${nameOf(one)}: ${one.expr}: ${problem}`];
      });
    expect(failures).toEqual([]);
  });

  for (const gap of gaps) {
    it(`a gap is as large as it claims: ${gap.reason}`, () => {
      const covered = cases.filter((one) => gaps.find((other) => other.covers(one)) === gap);
      const open = covered.filter((one) => runCase(one) !== undefined);
      expect(open.length).toBe(gap.count);
    });
  }
});
