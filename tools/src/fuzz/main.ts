/**
 * npm run tool -- fuzz [--seconds 600] [--target json,yaml] [--seed 1] [--unguided] [--corpus DIRECTORY]
 *
 * Fuzzes each target for its share of the time, keeps the inputs that reached new code, and ends non-zero where an input broke a promise
 * or was not read within `hangMs`.
 */
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Worker } from "node:worker_threads";
import { cacheDirectory } from "../upstream/cache-directory.js";
import { openCorpus } from "./corpus-files.js";
import { targets } from "./targets/index.js";
import type { WorkerInput, WorkerReport } from "./worker-messages.js";

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "600" },
    target: { type: "string" },
    seed: { type: "string", default: String(Date.now()) },
    unguided: { type: "boolean", default: false },
    corpus: { type: "string", default: join(cacheDirectory(), "fuzz") },
  },
});
const chosen = values.target?.split(",") ?? Object.keys(targets);
const unknown = chosen.find((name) => !(name in targets));
if (unknown !== undefined) {
  console.error(`There is no target ${unknown}; there are: ${Object.keys(targets).join(", ")}`);
  process.exit(2);
}
const seconds = Number(values.seconds) / chosen.length;

/** An input that takes longer than this, on however busy a machine, stops a server. */
const hangMs = 20_000;
const longestInput = 1 << 20;

/** The report, or the input that did not return. */
async function fuzz(target: string): Promise<WorkerReport> {
  const shared = { input: new SharedArrayBuffer(longestInput), progress: new SharedArrayBuffer(8) };
  const progress = new Int32Array(shared.progress);
  const input: WorkerInput = {
    target,
    seed: values.seed,
    seconds,
    directory: values.corpus,
    isGuided: !values.unguided,
    shared,
  };
  const worker = new Worker(new URL("worker.js", import.meta.url), { workerData: input });
  let last = -1;
  return new Promise((resolve, reject) => {
    const watchdog = setInterval(() => {
      const executions = Atomics.load(progress, 0);
      if (executions !== last || executions === 0) {
        last = executions;
        return;
      }
      const bytes = new Uint8Array(shared.input).slice(0, Atomics.load(progress, 1));
      const file = openCorpus(values.corpus, target).keepFinding(bytes);
      const findings = [{ file, text: `not read within ${hangMs / 1000} seconds` }];
      resolve({ executions, accepted: 0, corpus: 0, blocks: 0, findings });
      void worker.terminate();
    }, hangMs);
    worker.once("message", resolve);
    worker.once("error", reject);
    worker.once("exit", () => clearInterval(watchdog));
  });
}

const number = new Intl.NumberFormat("en");
console.log(`seed ${values.seed}, ${seconds.toFixed(1)} seconds per target, corpus in ${values.corpus}\n`);
console.log(
  `${"target".padEnd(18)}${"executions/s".padStart(13)}${"executions".padStart(13)}${"accepted".padStart(10)}${"corpus".padStart(8)}${"blocks".padStart(8)}  findings`,
);
let findings = 0;
for (const target of chosen) {
  const start = performance.now();
  const report = await fuzz(target);
  const rate = report.executions / ((performance.now() - start) / 1000);
  findings += report.findings.length;
  console.log(
    target.padEnd(18) +
      number.format(Math.round(rate)).padStart(13) +
      number.format(report.executions).padStart(13) +
      `${Math.round((100 * report.accepted) / Math.max(1, report.executions))} %`.padStart(10) +
      number.format(report.corpus).padStart(8) +
      number.format(report.blocks).padStart(8) +
      `  ${report.findings.length}`,
  );
  for (const { file, text } of report.findings)
    console.log(`  ${file}\n    ${text.split("\n").slice(0, 8).join("\n    ")}`);
}
if (findings > 0) process.exitCode = 1;
