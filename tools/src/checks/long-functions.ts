import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A function fits on a screen. */
const mostLines = 80;

/** What oxlint reads: this rule alone. Tests are tables and may be as long as their rows. */
const configuration = {
  plugins: [],
  categories: { correctness: "off" },
  rules: { "max-lines-per-function": ["error", { max: mostLines, skipBlankLines: false, skipComments: false }] },
};

/** Functions over the limit. */
export const checkLongFunctions = (root: string): string[] =>
  findLongFunctions(root).map(({ name, lines }) => `${name} has ${lines} lines: a function has at most ${mostLines}.`);

interface LongFunction {
  /** `path functionName` */
  readonly name: string;
  readonly lines: number;
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
