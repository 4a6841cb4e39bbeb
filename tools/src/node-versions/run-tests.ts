import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { runProgram } from "../clients/run-program.js";
import type { Outcome } from "./format-table.js";
import type { InstalledNode } from "./install-node.js";

/** What Vitest's JSON reporter writes, as far as it is read here. */
export interface TestReport {
  readonly numTotalTests: number;
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly status: string;
    readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[];
  }[];
}

/** The environment in which `node` is the version asked for, also for the programs that tests start. */
export const environmentOf = ({ folder }: InstalledNode): Record<string, string> => ({
  PATH: `${folder}${delimiter}${process.env["PATH"] ?? ""}`,
});

/** The suite, or the named files of it, on that version. */
export async function runTests(root: string, node: InstalledNode, files: readonly string[]): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), "node-versions-"));
  const output = join(folder, "report.json");
  try {
    const args = ["run", "--reporter=json", `--outputFile=${output}`, ...files];
    const { code, stderr } = await runProgram(
      join(node.folder, "node"),
      [join(root, "node_modules/vitest/vitest.mjs"), ...args],
      { cwd: root, env: environmentOf(node) },
    );
    const text = readReport(output);
    if (text === undefined) return { passed: false, text: "no report", details: [stderr.trim()] };
    return outcomeOf(JSON.parse(text) as TestReport, code === 0);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readReport(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // Vitest did not come as far as that; its own words are printed
  }
}

/** A run in which nothing passed tested nothing: what it needs was not there. */
export function outcomeOf(report: TestReport, endedWell: boolean): Outcome {
  const { numFailedTests: failed, numPassedTests: passed, numTotalTests: total } = report;
  const details = report.testResults.flatMap(({ name, status, assertionResults }) => {
    const failures = assertionResults.filter((each) => each.status === "failed").map(({ fullName }) => fullName);
    if (failures.length === 0 && status === "failed") return [`${name}: could not be loaded`];
    return failures.map((each) => `${name}: ${each}`);
  });
  const text = failed > 0 ? `${failed} of ${total} failed` : passed === 0 ? "not tested" : `${passed} passed`;
  return { passed: endedWell && failed === 0 && passed > 0, text, details };
}
