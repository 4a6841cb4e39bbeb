// npm run bench -- operator [--rounds 3] [--json FILE] [--objects 10000] [--workers 10]
// Reconciles of @coxswain/operator beside a controller-runtime program on the same server of ours, each in processes of its own, by turns.
import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { ensureOwnProgram } from "../../programs/index.js";
import { formatKubeconfig, stopOnSignal } from "../../upstream/index.js";
import { createContestant } from "../contestant.js";
import { loadAverage } from "../machine-load.js";
import type { Figure } from "../rows/row.js";
import { keepRun, loadedLines } from "../runs.js";
import { Samples } from "../samples.js";
import { startOurs } from "../servers/ours.js";
import { startRow } from "../start-row.js";
import { formatTable } from "../table.js";

const { values: options } = parseArgs({
  options: {
    rounds: { type: "string", default: "3" },
    json: { type: "string" },
    objects: { type: "string", default: "10000" },
    workers: { type: "string", default: "10" },
  },
});
const figures = {
  perSecond: { what: "reconciles per second: read, compare, patch status", unit: "per s", better: "more", budget: 0.7 },
  peakMegabytes: { what: "peak memory", unit: "MB", better: "less", budget: 1 },
} as const satisfies Record<string, Figure>;

const average = loadAverage(); // before it is the bench's own
const run = promisify(execFile);
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const scripts = join(root, "tools/bench-operator");
/** As in the Dockerfile of `coxswain operator build`. V8 grows its heap to several times what lives in it otherwise: 201 MB without these, 99 MB with them. */
const small = ["--max-semi-space-size=1", "--optimize-for-size"];
const program = ensureOwnProgram("reconciler");
const abort = new AbortController();
const contestant = createContestant("ours", startOurs, abort.signal);
const folder = await mkdtemp(join(tmpdir(), "coxswain-bench-operator-"));
const stopAll = async (): Promise<void> => {
  abort.abort(new Error("stopped"));
  await contestant.stop();
  await rm(folder, { recursive: true, force: true });
};
stopOnSignal(stopAll);

interface Measured {
  readonly seconds: number;
  readonly peakBytes: number;
  readonly calls: number;
}

try {
  const { access } = await contestant.server();
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, formatKubeconfig(access));
  const { objects, workers } = options;
  process.stderr.write(`making ${objects} objects\n`);
  await run(process.execPath, [join(scripts, "fill.mjs"), kubeconfig, objects]);
  const finish = startRow({ row: "operator", topic: "operator", average });
  const samples = { upstream: new Samples(), ours: new Samples() };
  // Every run is a round of its own, in which every object has to change.
  let round = 0;
  const measure = async (name: "upstream" | "ours"): Promise<Measured> => {
    const wanted = String(++round);
    const { stdout } =
      name === "upstream"
        ? await run(program, [
            `--kubeconfig=${kubeconfig}`,
            `--round=${wanted}`,
            `--want=${objects}`,
            `--workers=${workers}`,
          ])
        : await run(process.execPath, [...small, join(scripts, "reconcile.mjs"), kubeconfig, wanted, objects, workers]);
    return JSON.parse(stdout) as Measured;
  };
  for (let at = 0; at < Number(options.rounds); at++)
    for (const name of ["upstream", "ours"] as const) {
      const { seconds, peakBytes, calls } = await measure(name);
      const perSecond = Number(objects) / seconds;
      process.stderr.write(
        `${name}, round ${at + 1} of ${options.rounds}: ${perSecond.toFixed(0)} per s, ${(peakBytes / 1e6).toFixed(0)} MB, ${calls} calls\n`,
      );
      samples[name].add("perSecond", perSecond);
      samples[name].add("peakMegabytes", peakBytes / 1e6);
    }
  console.log(`upstream: controller-runtime; both with ${workers} workers on the same server of ours, over HTTPS\n`);
  const measured = finish(
    Object.entries(figures).map(([name, figure]) => ({
      figure,
      upstream: samples.upstream.valueOf({ what: name }),
      ours: samples.ours.valueOf({ what: name }),
    })),
  );
  if (options.json !== undefined) keepRun(options.json, measured);
  console.log(formatTable(loadedLines(measured)));
} finally {
  await stopAll();
}
