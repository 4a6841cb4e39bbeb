// npm run tool -- node-versions: see `usage`.
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { formatTable, type Outcome, type VersionRow } from "./format-table.js";
import { type InstalledNode, installNode } from "./install-node.js";
import { runStart } from "./run-start.js";
import { runTests } from "./run-tests.js";

const usage = `npm run tool -- node-versions [--versions 20,24 --checks tests,start,package] [test files]

Runs the suite (or the test files that are named), "npm start" until its cluster is ready, and the packed package installed in a project
of its own, on each of these versions of Node, which npm's package "node" provides. Prints a table; fails when anything fails.
`;

const root = join(dirname(fileURLToPath(import.meta.url)), "../../..");
const allChecks = ["tests", "start", "package"] as const;
type Check = (typeof allChecks)[number];

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      versions: { type: "string", default: "20,22,24,26" },
      checks: { type: "string", default: allChecks.join(",") },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return void process.stdout.write(usage);
  const wanted = values.checks.split(",");
  const unknown = wanted.find((check) => !allChecks.some((known) => known === check));
  if (unknown !== undefined) throw new Error(`there is no check "${unknown}"; there are ${allChecks.join(", ")}`);
  const checks = allChecks.filter((check) => wanted.includes(check));
  const rows: VersionRow[] = [];
  for (const major of values.versions.split(",")) {
    const node = await installNode(major);
    const outcomes: Record<string, Outcome> = {};
    for (const check of checks) {
      process.stderr.write(`${node.version}: ${check} …\n`);
      outcomes[check] = await run(check, node, positionals);
    }
    rows.push({ version: node.version, outcomes });
  }
  process.stdout.write(`${formatTable(checks, rows)}\n`);
  if (rows.some(({ outcomes }) => Object.values(outcomes).some(({ passed }) => !passed))) process.exitCode = 1;
}

function run(check: Check, node: InstalledNode, files: readonly string[]): Promise<Outcome> {
  switch (check) {
    case "tests":
      return runTests(root, node, files);
    case "start":
      return runStart(root, node);
    case "package":
      // Packs and installs the command with npm, starts a cluster in the background, asks for its status and stops it.
      return runTests(root, node, ["packages/coxswain/src/packed.test.ts"]);
  }
}

await main();
