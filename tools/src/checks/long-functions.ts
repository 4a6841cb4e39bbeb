import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { longFunctionsAllowed } from "./long-functions-allowed.js";

/** A function fits on a screen. */
const mostLines = 80;

/** What oxlint reads: this rule alone. Tests are tables and may be as long as their rows. */
const configuration = {
  plugins: [],
  categories: { correctness: "off" },
  rules: { "max-lines-per-function": ["error", { max: mostLines, skipBlankLines: false, skipComments: false }] },
};

interface LongFunction {
  /** `path functionName`; functions without a name are counted together. */
  readonly name: string;
  readonly lines: number;
}

/** Functions over the limit that are not on the list, or longer than there; and entries of the list that nothing needs any more. */
export function checkLongFunctions(root: string): string[] {
  const found = new Map<string, number>();
  for (const { name, lines } of findLongFunctions(root)) found.set(name, Math.max(lines, found.get(name) ?? 0));
  const problems: string[] = [];
  for (const [name, lines] of found) {
    const allowed = longFunctionsAllowed[name];
    if (allowed === undefined) problems.push(`${name} has ${lines} lines: a function has at most ${mostLines}.`);
    else if (lines > allowed) problems.push(`${name} has grown from ${allowed} to ${lines} lines: split it instead.`);
    else if (lines < allowed)
      problems.push(`${name} has ${lines} lines now: write that into long-functions-allowed.ts instead of ${allowed}.`);
  }
  for (const name of Object.keys(longFunctionsAllowed))
    if (!found.has(name))
      problems.push(`${name} is short now: delete it from tools/src/checks/long-functions-allowed.ts.`);
  return problems;
}

function findLongFunctions(root: string): LongFunction[] {
  const folder = mkdtempSync(join(tmpdir(), "coxswain-lint-"));
  try {
    const file = join(folder, "oxlint.json");
    writeFileSync(file, JSON.stringify(configuration));
    const done = spawnSync(
      join(root, "node_modules/.bin/oxlint"),
      ["-c", file, "-f", "json", "packages", "tools/src"],
      { cwd: root, encoding: "utf8", maxBuffer: 64 << 20 },
    );
    return readDiagnostics(done.stdout);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function readDiagnostics(text: string): LongFunction[] {
  const { diagnostics } = JSON.parse(text) as { diagnostics: { filename: string; message: string }[] };
  return diagnostics
    .filter(({ filename }) => !/[.-]test(\.support)?\.ts$|\/(dist|gen|test|bench|conformance)\//.test(filename))
    .map(({ filename, message }) => ({
      name: `${filename} ${/`([^`]+)`/.exec(message)?.[1] ?? "(without a name)"}`,
      lines: Number(/\((\d+)\)/.exec(message)?.[1]),
    }));
}
