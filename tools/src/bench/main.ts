// npm run bench -- [--rows start,get] [--ours-only | --upstream-only] [--json FILE]
// Measures our server and kube-apiserver over etcd side by side in one run, and prints ours beside theirs.
import { writeFileSync } from "node:fs";
import { cpus, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { ensureProgram, etcdVersion, kubernetesVersion, stopOnSignal } from "../upstream/index.js";
import type { Contestant } from "./contestant.js";
import { createContestant } from "./contestant.js";
import { selectRows } from "./rows/index.js";
import type { Row } from "./rows/row.js";
import { Samples } from "./samples.js";
import { startOurs } from "./servers/ours.js";
import { startUpstream } from "./servers/upstream.js";
import type { Line } from "./table.js";
import { formatTable, isMet, ratioOf } from "./table.js";
import { workload } from "./workload.js";

const { values: options } = parseArgs({
  options: {
    rows: { type: "string" },
    json: { type: "string" },
    "ours-only": { type: "boolean" },
    "upstream-only": { type: "boolean" },
  },
});

const abort = new AbortController();
const contestants: Contestant[] = [];
if (!options["ours-only"]) {
  // Built before anything is measured, so that a compiler does not run beside it.
  for (const name of ["etcd", "kube-apiserver"] as const) await ensureProgram(name);
  contestants.push(createContestant("upstream", startUpstream, abort.signal));
}
if (!options["upstream-only"]) contestants.push(createContestant("ours", startOurs, abort.signal));

const stopAll = (): Promise<unknown> => {
  abort.abort(new Error("stopped"));
  return Promise.all(contestants.map((contestant) => contestant.stop()));
};
stopOnSignal(stopAll);

/** The servers take turns within every round, so that neither has the quieter machine. */
async function measure(row: Row): Promise<Line[]> {
  const samples = { upstream: new Samples(), ours: new Samples() };
  const failed = new Set<Contestant>();
  for (let round = 0; round < (row.rounds ?? 1); round++) {
    for (const contestant of contestants) {
      if (failed.has(contestant)) continue;
      process.stderr.write(`${row.name}: ${contestant.name}, round ${round + 1} of ${row.rounds ?? 1}\n`);
      try {
        for (const [what, value] of await row.measure(contestant)) samples[contestant.name].add(what, value);
      } catch (error) {
        abort.signal.throwIfAborted();
        failed.add(contestant);
        process.exitCode = 1;
        process.stderr.write(`${row.name}: ${contestant.name} failed: ${String(error)}\n`);
      }
    }
  }
  return row.figures.map((figure) => ({
    figure,
    upstream: samples.upstream.valueOf(figure),
    ours: samples.ours.valueOf(figure),
  }));
}

const lines: Line[] = [];
try {
  for (const row of selectRows(options.rows?.split(",").filter((name) => name !== "") ?? []))
    lines.push(...(await measure(row)));
} finally {
  await stopAll();
}
const machine = `${cpus().length} cores (${cpus()[0]?.model ?? "unknown"}), ${Math.round(totalmem() / 1e9)} GB, Node ${process.version}`;
const versions = `kube-apiserver ${kubernetesVersion}, etcd ${etcdVersion}`;
console.log(
  [
    `upstream: ${versions}`,
    `machine: ${machine}`,
    "",
    formatTable(lines),
    "",
    ...workload.map((line) => `- ${line}`),
  ].join("\n"),
);
if (options.json !== undefined) {
  const figures = lines.map((line) => ({
    ...line.figure,
    upstream: line.upstream,
    ours: line.ours,
    ratio: ratioOf(line),
    met: isMet(line),
  }));
  writeFileSync(
    options.json,
    `${JSON.stringify({ date: new Date().toISOString(), machine, versions, workload, figures }, null, 2)}\n`,
  );
}
