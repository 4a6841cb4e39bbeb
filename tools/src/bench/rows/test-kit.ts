import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Row } from "./row.js";

const run = promisify(execFile);
const root = resolve(fileURLToPath(import.meta.url), "../../../../..");
const project = "packages/testkit/bench";

/** Named as that bench names them (`npm run bench -- testkit`); in milliseconds. */
const figures = [
  { of: "startCluster(), everything running, warm", budget: 300 },
  { of: "fork() of 1,000 objects, all controllers", budget: 25 },
  { of: "fork(), API server alone", budget: undefined },
  { of: "a week of a daily CronJob, three nodes", budget: 1_000 },
  { of: "a week of an hourly CronJob, three nodes", budget: 4_000 },
  { of: "100 tests, each on a fork of its own", budget: 5_000 },
];

/** Without a server: what a test waits for. */
export const testKit: Row = {
  name: "test-kit",
  topic: "test-kit",
  only: "ours",
  figures: figures.map(({ of, budget }) => ({
    what: of,
    unit: "ms",
    better: "less",
    ...(budget !== undefined && { budget }),
    budgetOf: "ours",
  })),
  async measure({ signal }) {
    await run(join(root, "node_modules/.bin/tsc"), ["-b", project], { cwd: root, signal });
    const values: [string, number][] = [];
    for (const { of } of figures) {
      const program = join(root, project, "dist/main.js");
      const { stdout } = await run(process.execPath, ["--expose-gc", program, of, "--json"], { cwd: root, signal });
      values.push([of, (JSON.parse(stdout) as { ms: number }).ms]);
    }
    return values;
  },
};
