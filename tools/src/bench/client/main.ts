// npm run bench -- client [--rounds 3] [--json FILE]
// Measures @coxswain/client beside @kubernetes/client-node and client-go on the same server of ours, each in processes of its own, by turns.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { ensureOwnProgram } from "../../programs/index.js";
import { cacheDirectory, formatKubeconfig, stopOnSignal } from "../../upstream/index.js";
import { createContestant } from "../contestant.js";
import { loadAverage } from "../machine-load.js";
import type { Figure } from "../rows/row.js";
import { keepRun, loadedLines, type RowRun } from "../runs.js";
import { Samples } from "../samples.js";
import { startOurs } from "../servers/ours.js";
import { startRow } from "../start-row.js";
import { formatTable, type Line } from "../table.js";
import { namespaces, storedPods } from "../workload.js";
import { installedBytes } from "./installed-bytes.js";

const { values: options } = parseArgs({
  options: { rounds: { type: "string", default: "3" }, json: { type: "string" } },
});
const average = loadAverage(); // before it is the bench's own
const libraries = { upstream: "client-node", ours: "coxswain" } as const;
const figures = {
  importMs: { what: "import", unit: "ms", better: "less", budget: 1 / 8 },
  syncMs: { what: "first sync of 10,000 pods", unit: "ms", better: "less", budget: 1 / 3 },
  syncCpuMs: { what: "processor time of that", unit: "ms", better: "less", budget: 1 / 3 },
  heldBytes: { what: "memory that the synced informer adds", unit: "MB", better: "less", budget: 1 / 2 },
  eventsPerSecond: { what: "watch events per second of processor time", unit: "per s", better: "more", budget: 5 },
  getsPerSecond: { what: "GETs per second, 16 in flight", unit: "per s", better: "more", budget: 2 },
} as const satisfies Record<string, Figure>;
const clientGoFigures = {
  syncMs: { what: "first sync of 10,000 pods", unit: "ms", better: "less", budget: 1.5 },
  syncCpuMs: { what: "processor time of that", unit: "ms", better: "less", budget: 1.5 },
  heldBytes: { what: "memory that the synced informer adds", unit: "MB", better: "less", budget: 1.5 },
} as const satisfies Record<string, Figure>;
const handlerFigure = {
  what: "processor time of that sync",
  unit: "ms",
  better: "less",
  budget: 1.2,
} as const satisfies Figure;

const run = promisify(execFile);
/** The last one that runs on Node 20. */
const clientNodeVersion = "1.4.0";
const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../../..");
const clientNodeFolder = join(cacheDirectory(), `client-node-${clientNodeVersion}`);
if (!existsSync(join(clientNodeFolder, "node_modules"))) {
  const wanted = `@kubernetes/client-node@${clientNodeVersion}`;
  await mkdir(clientNodeFolder, { recursive: true });
  await run("npm", ["install", "--prefix", clientNodeFolder, "--no-audit", "--no-fund", wanted]).catch(() => {
    console.error(`*** NOT MEASURED: npm could not install ${wanted}: is there a network? ***`);
    process.exit(1);
  });
}
const clientNode = join(clientNodeFolder, "node_modules/@kubernetes/client-node");
const abort = new AbortController();
const contestant = createContestant("ours", startOurs, abort.signal);
const folder = await mkdtemp(join(tmpdir(), "coxswain-bench-client-"));
const stopAll = async (): Promise<void> => {
  abort.abort(new Error("stopped"));
  await contestant.stop();
  await rm(folder, { recursive: true, force: true });
};
stopOnSignal(stopAll);

/** What a round wrote is not listed by the next. */
async function emptyEvents(): Promise<void> {
  const once = { connections: 1, inFlightEach: 1, count: 1 };
  const body = JSON.stringify({ metadata: { name: "bench-events" } });
  await contestant.requests({ method: "POST", path: "/api/v1/namespaces", body }, once); // 409 when it is there
  await contestant.requests({ method: "DELETE", path: "/api/v1/namespaces/bench-events/configmaps" }, once);
}

function buildClientGo(): string | undefined {
  try {
    return ensureOwnProgram("informer-sync");
  } catch (error) {
    console.error(`*** NOT MEASURED: client-go: ${(error as Error).message} ***`);
    return undefined;
  }
}

/** Runs a program that prints its figures as JSON. */
async function figuresOf(
  samples: Samples,
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<void> {
  const { stdout } = await run(program, args, { env: { ...process.env, ...env } });
  for (const [figure, value] of Object.entries(JSON.parse(stdout) as Record<string, number>))
    samples.add(figure, figure === "heldBytes" ? value / 1e6 : value);
}

function report(finish: (lines: readonly Line[]) => RowRun, lines: readonly Line[]): void {
  const measured = finish(lines);
  if (options.json !== undefined) keepRun(options.json, measured);
  console.log(formatTable(loadedLines(measured)));
}

const linesOf = (shown: Readonly<Record<string, Figure>>, upstream: Samples, ours: Samples): Line[] =>
  Object.entries(shown).map(([what, figure]) => ({
    figure,
    upstream: upstream.valueOf({ what }),
    ours: ours.valueOf({ what }),
  }));

try {
  const { access } = await contestant.server();
  await contestant.fillPods();
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, formatKubeconfig(access));
  const script = (name: string): string => join(root, "tools/bench-client", name);
  const pods = [namespaces.pods, String(storedPods)];
  const clientGo = buildClientGo();
  const finish = (["client", "client-go"] as const).map((name) => startRow({ row: name, topic: name, average }));
  const samples = { upstream: new Samples(), ours: new Samples(), clientGo: new Samples() };
  const handlers = { one: new Samples(), ten: new Samples() };
  for (let round = 0; round < Number(options.rounds); round++) {
    for (const name of ["upstream", "ours"] as const) {
      process.stderr.write(`${libraries[name]}, round ${round + 1} of ${options.rounds}\n`);
      await emptyEvents();
      await figuresOf(
        samples[name],
        process.execPath,
        ["--expose-gc", script("measure.mjs"), libraries[name], kubeconfig, ...pods],
        { COXSWAIN_CLIENT_NODE: join(clientNode, "dist/index.js") },
      );
    }
    if (clientGo !== undefined)
      await figuresOf(samples.clientGo, clientGo, [
        `--kubeconfig=${kubeconfig}`,
        `--namespace=${namespaces.pods}`,
        `--want=${storedPods}`,
      ]);
    for (const [count, into] of [
      ["1", handlers.one],
      ["10", handlers.ten],
    ] as const)
      await figuresOf(into, process.execPath, [script("handlers.mjs"), kubeconfig, ...pods, count]);
  }
  const sizes = {
    upstream: await installedBytes(clientNode),
    ours: await installedBytes(join(root, "node_modules/@coxswain/client")),
  };
  console.log("upstream: @kubernetes/client-node; both on the same server of ours, over HTTPS\n");
  report(finish[0]!, [
    ...linesOf(figures, samples.upstream, samples.ours),
    {
      figure: { what: "installed size", unit: "MB", better: "less", budget: 1 / 15 },
      upstream: sizes.upstream / 1e6,
      ours: sizes.ours / 1e6,
    },
  ]);
  console.log("\nupstream: client-go, on that server\n");
  report(finish[1]!, linesOf(clientGoFigures, samples.clientGo, samples.ours));
  console.log("\nupstream: ours with one handler; ours: with ten\n");
  console.log(formatTable(linesOf({ handlersCpuMs: handlerFigure }, handlers.one, handlers.ten)));
} finally {
  await stopAll();
}
