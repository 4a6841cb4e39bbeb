// npm run bench -- [flags]: see `usage`.
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ensureProgram, stopOnSignal } from "../upstream/index.js";
import type { Contestant } from "./contestant.js";
import { createContestant } from "./contestant.js";
import { isQuiet, loadAverage, quietLimits } from "./machine-load.js";
import { type MeasureOptions, measureRow } from "./measure-row.js";
import { disturbances, publish } from "./publish.js";
import { usualHold } from "./rows/cluster-hold.js";
import { rows, selectRows } from "./rows/index.js";
import type { Row } from "./rows/row.js";
import { keepRun, loadedLines, readRuns, replaceRuns, writeRuns } from "./runs.js";
import { startOurs } from "./servers/ours.js";
import { startUpstream } from "./servers/upstream.js";
import { source, startRow } from "./start-row.js";
import type { Line } from "./table.js";
import { formatTable } from "./table.js";
import { workload } from "./workload.js";

const usage = `npm run bench -- [flags]
Measures ours and upstream's side by side in one run and prints each row with its ratio, its budget and the load of the machine.
  --rows A,B         some rows (cluster stands for all that begin with cluster-): ${rows.map(({ name, isLong }) => (isLong ? `${name}*` : name)).join(", ")}
                     * takes tens of minutes: only when it is named in full
  --runs N           all of it N times (default 1)
  --json FILE        adds what is measured to FILE after each row; of each row the last three runs stay
  --publish          measures nothing: makes the tables of docs/benchmarks.md, of each row the best run; rows of FILE replace those there
  --at-any-load      measures and publishes although the load average is above ${quietLimits.average}, or others use more than ${quietLimits.others} processor
  --ours-only, --upstream-only
  --nodes N, --pods N, --up-flags A,B   of cluster-hold: its size (default ${usualHold.nodes} and ${usualHold.pods}), and flags of \`up\` such as --split=off
`;
const root = resolve(fileURLToPath(import.meta.url), "../../../..");
const page = join(root, "docs/benchmarks.md");
/** What the page was made of. */
const publishedFile = join(root, "docs/benchmarks.json");
const { values: options } = parseArgs({
  options: {
    rows: { type: "string" },
    runs: { type: "string", default: "1" },
    json: { type: "string" },
    publish: { type: "boolean", default: false },
    "at-any-load": { type: "boolean", default: false },
    "ours-only": { type: "boolean", default: false },
    "upstream-only": { type: "boolean", default: false },
    nodes: { type: "string", default: String(usualHold.nodes) },
    pods: { type: "string", default: String(usualHold.pods) },
    "up-flags": { type: "string", default: "" },
    help: { type: "boolean", default: false },
  },
});
const wordsOf = (text: string): string[] => text.split(",").filter((word) => word !== "");
const print = (line: string): void => void process.stderr.write(`${line}\n`);

if (options.help) process.stdout.write(usage);
else if (options.publish) publishRuns();
else if (loadAverage() > quietLimits.average && !options["at-any-load"]) {
  print(
    `The load average is ${loadAverage().toFixed(1)}: above ${quietLimits.average} a figure is worth nothing. Wait, or give --at-any-load.`,
  );
  process.exitCode = 2;
} else await measureAll();

/** A row of FILE without a run that may be published leaves in the page what is there. */
function publishRuns(): void {
  const runs = options.json === undefined ? [] : readRuns(options.json);
  const disturbed = disturbances(runs);
  if (disturbed.length > 0) print(["Others disturbed:", ...disturbed].join("\n  "));
  if (disturbed.length > 0 && !options["at-any-load"]) {
    print("These are not published; with --at-any-load they are.");
    process.exitCode = 2;
  }
  const accepted = options["at-any-load"] ? runs : runs.filter(({ load }) => isQuiet(load));
  const order = rows.map(({ name }) => name);
  const published = replaceRuns(readRuns(publishedFile), accepted, order);
  writeRuns(publishedFile, published);
  writeFileSync(page, publish(readFileSync(page, "utf8"), published));
}

async function measureAll(): Promise<void> {
  const selected = selectRows(wordsOf(options.rows ?? ""), {
    nodes: Number(options.nodes),
    pods: Number(options.pods),
    upFlags: wordsOf(options["up-flags"]),
  });
  // Built before anything is measured, so that a compiler does not run beside it.
  if (!options["ours-only"]) for (const name of ["etcd", "kube-apiserver"] as const) await ensureProgram(name);
  const average = loadAverage(); // later it is the bench's own
  const abort = new AbortController();
  let contestants: Contestant[] = [];
  const stopContestants = (): Promise<unknown> => Promise.all(contestants.map((contestant) => contestant.stop()));
  stopOnSignal(() => {
    abort.abort(new Error("stopped"));
    return stopContestants();
  });
  const lines: Line[] = [];
  for (let run = 1; run <= Number(options.runs); run++) {
    contestants = [
      ...(options["ours-only"] ? [] : [createContestant("upstream", startUpstream, abort.signal)]),
      ...(options["upstream-only"] ? [] : [createContestant("ours", startOurs, abort.signal)]),
    ];
    try {
      for (const row of selected)
        lines.push(...(await measureAndKeep(row, { contestants, signal: abort.signal, print }, average)));
    } finally {
      await stopContestants();
    }
  }
  const { machine, versions } = source;
  console.log([versions, machine, "", formatTable(lines), "", ...workload.map((line) => `- ${line}`)].join("\n"));
}

async function measureAndKeep(row: Row, measuring: MeasureOptions, average: number): Promise<Line[]> {
  const finish = startRow({ row: row.name, topic: row.topic, average });
  const { lines, failures } = await measureRow(row, measuring);
  if (failures.length > 0) process.exitCode = 1;
  const run = finish(lines);
  if (options.json !== undefined) keepRun(options.json, run);
  const shown = loadedLines(run);
  print([formatTable(shown), `${row.name}: ${run.seconds} s`, ...failures, ""].join("\n"));
  return shown;
}
