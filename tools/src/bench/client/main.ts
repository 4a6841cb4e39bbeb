// npm run bench:client -- [--rounds 3]
// Measures @coxswain/client beside @kubernetes/client-node on the same server of ours, each in processes of its own, by turns.
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs, promisify } from "node:util";
import { cacheDirectory, formatKubeconfig, stopOnSignal } from "../../upstream/index.js";
import { createContestant } from "../contestant.js";
import type { Figure } from "../rows/row.js";
import { Samples } from "../samples.js";
import { startOurs } from "../servers/ours.js";
import { formatTable } from "../table.js";
import { namespaces, storedPods } from "../workload.js";
import { installedBytes } from "./installed-bytes.js";

const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });
const libraries = { upstream: "client-node", ours: "coxswain" } as const;
const figures = {
  importMs: { what: "import", unit: "ms", better: "less", budget: 1 / 8 },
  syncMs: { what: "first sync of 10,000 pods", unit: "ms", better: "less", budget: 1 / 3 },
  heldBytes: { what: "memory that the synced informer adds", unit: "MB", better: "less", budget: 1 / 2 },
  eventsPerSecond: { what: "watch events per second of processor time", unit: "per s", better: "more", budget: 5 },
  getsPerSecond: { what: "GETs per second, 16 in flight", unit: "per s", better: "more", budget: 2 },
} as const satisfies Record<string, Figure>;

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

try {
  const { access } = await contestant.server();
  await contestant.fillPods();
  const kubeconfig = join(folder, "kubeconfig");
  await writeFile(kubeconfig, formatKubeconfig(access));
  const samples = { upstream: new Samples(), ours: new Samples() };
  for (let round = 0; round < Number(options.rounds); round++)
    for (const name of ["upstream", "ours"] as const) {
      process.stderr.write(`${libraries[name]}, round ${round + 1} of ${options.rounds}\n`);
      await emptyEvents();
      const { stdout } = await run(
        process.execPath,
        [
          "--expose-gc",
          join(root, "tools/bench-client/measure.mjs"),
          libraries[name],
          kubeconfig,
          namespaces.pods,
          String(storedPods),
        ],
        { env: { ...process.env, COXSWAIN_CLIENT_NODE: join(clientNode, "dist/index.js") } },
      );
      for (const [figure, value] of Object.entries(JSON.parse(stdout) as Record<keyof typeof figures, number>))
        samples[name].add(figure, figure === "heldBytes" ? value / 1e6 : value);
    }
  const sizes = {
    upstream: await installedBytes(clientNode),
    ours: await installedBytes(join(root, "node_modules/@coxswain/client")),
  };
  console.log("upstream: @kubernetes/client-node; both on the same server of ours, over HTTPS\n");
  console.log(
    formatTable([
      ...Object.entries(figures).map(([name, figure]) => ({
        figure,
        upstream: samples.upstream.valueOf({ what: name }),
        ours: samples.ours.valueOf({ what: name }),
      })),
      {
        figure: { what: "installed size", unit: "MB", better: "less", budget: 1 / 15 },
        upstream: sizes.upstream / 1e6,
        ours: sizes.ours / 1e6,
      },
    ]),
  );
} finally {
  await stopAll();
}
