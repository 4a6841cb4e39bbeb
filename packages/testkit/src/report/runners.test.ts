import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { describeWith } from "@coxswain/tools/needs";
import { beforeAll, describe, expect, it } from "vitest";
import { repeatCommand } from "./repeat-command.js";

const root = fileURLToPath(new URL("../../../../", import.meta.url));

/** A passing and two failing tests, as people write them for that runner. */
const testFile = (imports: string): string => `
${imports}
import assert from "node:assert/strict";
import { startCluster, withCluster } from "@coxswain/testkit";
const lean = { seed: 41, nodes: 0, controllers: [], scheduler: false };
const make = (cluster) => cluster.client.core.v1.configmaps("default").create({ metadata: { name: "made" } });
it("passes", withCluster(async (cluster) => { await make(cluster); }, { ...lean, seed: 40 }));
it("fails with a cluster", withCluster(async (cluster) => { await make(cluster); assert.equal(1, 2); }, lean));
describe("a suite", () => {
  let cluster;
  beforeEach(async () => { cluster = await startCluster({ ...lean, seed: 42 }); });
  afterEach(() => cluster.stop());
  it("fails before its hook", async () => { await make(cluster); assert.equal(1, 2); });
});
`;

async function runTests(command: readonly string[], file: { readonly name: string; readonly text: string }) {
  // Inside the package, where the runner finds what the file imports.
  const folder = mkdtempSync(join(root, "packages/testkit/runner-"));
  try {
    writeFileSync(join(folder, file.name), file.text);
    writeFileSync(join(folder, "vitest.config.mjs"), "export default {};");
    const path = relative(root, join(folder, file.name));
    const [program = "", ...given] = command;
    // A runner inside a runner must not take itself for a part of it.
    const { VITEST: _, NODE_TEST_CONTEXT: __, ...outer } = process.env;
    const output = await new Promise<string>((resolve) =>
      execFile(
        program,
        [...given.map((each) => each.replace("FOLDER", folder)), path],
        { cwd: root, env: { ...outer, NO_COLOR: "1" } },
        (_error, stdout, stderr) => resolve(stdout + stderr),
      ),
    );
    return { output, path };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lines of the report; node:test prefixes what its files print. */
const reported = (output: string, what: string): string[] =>
  output
    .split("\n")
    .flatMap((line) =>
      line.includes(`${what}:`) ? [line.slice(line.indexOf(`${what}:`) + what.length + 1).trim()] : [],
    );

const nodeImports = 'import { afterEach, beforeEach, describe, it } from "node:test";';

describe("node:test", () => {
  let ran: Awaited<ReturnType<typeof runTests>>;
  beforeAll(async () => {
    ran = await runTests([process.execPath, "--test"], { name: "cluster.test.mjs", text: testFile(nodeImports) });
  }, 300_000);

  it("runs tests on clusters", () => expect(ran.output).toMatch(/pass 1\b[\s\S]*fail 2\b/));
  it("prints the command that repeats a failing test, and the path of a timeline", () => {
    const commands = reported(ran.output, "repeat");
    expect(commands).toContain(`COXSWAIN_SEED=41 node --test ${ran.path}`);
    expect(commands).toContain(`COXSWAIN_SEED=42 node --test ${ran.path}`);
    for (const path of reported(ran.output, "timeline")) expect(existsSync(path)).toBe(true);
  });
});

describe("vitest", () => {
  let ran: Awaited<ReturnType<typeof runTests>>;
  beforeAll(async () => {
    const imports = 'import { afterEach, beforeEach, describe, it } from "vitest";';
    const vitest = [
      process.execPath,
      "node_modules/vitest/vitest.mjs",
      "run",
      "--config=FOLDER/vitest.config.mjs",
      "--reporter=verbose",
    ];
    ran = await runTests(vitest, { name: "cluster.test.mjs", text: testFile(imports) });
  }, 300_000);

  it("prints the command with the test's name, and nothing for one that passed", () =>
    expect(reported(ran.output, "repeat")).toEqual([
      `COXSWAIN_SEED=41 npx vitest run ${ran.path} -t 'fails with a cluster'`,
      `COXSWAIN_SEED=42 npx vitest run ${ran.path} -t 'a suite fails before its hook'`,
    ]));
});

const jest = process.env["COXSWAIN_JEST"];
describeWith(
  "Jest",
  {
    found: jest,
    missing: "Jest in a folder of its own (npm install jest; COXSWAIN_JEST=<its node_modules/jest/bin/jest.js>)",
  },
  (program) => {
    it("prints the command with the test's name, and nothing for one that passed", async () => {
      const { output, path } = await runTests(
        [
          process.execPath,
          "--experimental-vm-modules",
          program,
          "--rootDir=packages/testkit",
          "--testMatch=**/*.test.mjs",
          "--runTestsByPath",
        ],
        { name: "cluster.test.mjs", text: testFile("") },
      );
      expect(reported(output, "repeat")).toEqual([
        `COXSWAIN_SEED=41 npx jest ${path} -t 'fails with a cluster'`,
        `COXSWAIN_SEED=42 npx jest ${path} -t 'a suite fails before its hook'`,
      ]);
    }, 300_000);
  },
);

describe("the command", () => {
  const rows = [
    {
      runner: "vitest",
      file: "a b.test.ts",
      name: "it's so",
      want: String.raw`S=1 npx vitest run 'a b.test.ts' -t 'it'\''s so'`,
    },
    { runner: "jest", file: "a.test.ts", name: undefined, want: "S=1 npx jest a.test.ts" },
    { runner: "node", file: "a.test.js", name: "ignored", want: "S=1 node --test a.test.js" },
  ] as const;
  for (const { want, ...test } of rows)
    it(want, () => expect(repeatCommand("S=1", { ...test, hasFailed: undefined })).toBe(want));
});
