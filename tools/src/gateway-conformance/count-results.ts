import { readFileSync } from "node:fs";

export interface SuiteResults {
  readonly lines: readonly string[];
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** Reads the log of Go's tests: the outcome of each test of the suite, which is one level below its own. */
export function countResults(logFile: string): SuiteResults {
  const outcomes = new Map<string, string>();
  for (const [, outcome = "", name = ""] of readFileSync(logFile, "utf8").matchAll(
    /^\s*--- (PASS|FAIL|SKIP): TestConformance\/([^/\s]+) /gm,
  ))
    outcomes.set(name, outcome);
  const of = (wanted: string): string[] => [...outcomes].flatMap(([name, one]) => (one === wanted ? [name] : []));
  const [passed, failed, skipped] = [of("PASS"), of("FAIL"), of("SKIP")];
  return {
    lines: [
      ...failed.map((name) => `FAIL ${name}`),
      `${passed.length} passed, ${failed.length} failed, ${skipped.length} skipped (${logFile})`,
    ],
    passed: passed.length,
    failed: failed.length,
    skipped: skipped.length,
  };
}
