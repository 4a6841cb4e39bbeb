// npm run tool -- store-robustness: see `usage`.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ensureOwnProgram } from "../programs/index.js";
import { planRun, type RunPlan } from "./plan-run.js";
import { runSeed, type Verdict } from "./run-seed.js";

const usage = `npm run tool -- store-robustness [--seeds FIRST-LAST]

Sends the traffic of etcd's robustness tests to "coxswain store serve", while the store is killed, paused, stopped, or its disk is
full, as the seed decides; etcd's own validators then validate all answers and watches, with what the store really wrote (read from its
files) in place of etcd's log. Needs root, for a small disk in memory.

  --seeds FIRST-LAST    (default 1-100)
  --minutes N           how long the validators may search for an order of the requests that explains the answers (default 4)
  --keep                keep the files of runs that were accepted, too
`;

const { values: options } = parseArgs({
  options: {
    seeds: { type: "string", default: "1-100" },
    minutes: { type: "string", default: "4" },
    keep: { type: "boolean", default: false },
    help: { type: "boolean", default: false },
  },
});
if (options.help) process.stdout.write(usage);
else await run();

async function run(): Promise<void> {
  const [first = 1, last = first] = options.seeds.split("-").map(Number);
  const program = ensureOwnProgram("store-robustness");
  const folder = mkdtempSync(join(tmpdir(), "coxswain-store-robustness-"));
  const total: Record<string, number> = {};
  let refused = 0;
  for (let seed = first; seed <= last; seed++) {
    const plan = planRun(seed);
    const minutes = Number(options.minutes);
    const verdict = await runSeed({ program, minutes }, plan, join(folder, String(seed))).catch(
      (error: Error): Verdict => ({ counts: {}, problem: error.message }),
    );
    console.log(`${describe(plan)}: ${describeCounts(verdict.counts)}: ${verdict.problem ?? "accepted"}`);
    for (const [name, count] of Object.entries(verdict.counts)) total[name] = (total[name] ?? 0) + count;
    if (verdict.problem !== undefined) refused++;
    else if (!options.keep) rmSync(join(folder, String(seed)), { recursive: true });
  }
  console.log(`${last - first + 1} runs, ${refused} not accepted; ${describeCounts(total)}`);
  if (refused === 0 && !options.keep) rmSync(folder, { recursive: true });
  else console.log(`files are in ${folder}`);
  process.exitCode = refused === 0 ? 0 : 1;
}

function describe({ seed, traffic, faults, compacts }: RunPlan): string {
  return `seed ${seed}: ${traffic}, ${faults.map(({ kind }) => kind).join(", ")}${compacts ? ", compaction" : ""}`;
}

function describeCounts(counts: Verdict["counts"]): string {
  return Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}
