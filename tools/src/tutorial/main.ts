// npm run tutorial: see `usage`.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownLauncher, runProgram } from "../clients/index.js";
import { type Cluster, startCluster } from "../kwok/cluster.js";
import { makeNodes } from "../kwok/simulated-nodes.js";
import { ensureProgram, stopOnSignal } from "../upstream/index.js";
import { runTutorial } from "./run-tutorial.js";

const usage = `npm run tool -- tutorial [up] [upstream]

Does all that docs/tutorial-operator.md asks its reader to do, as printed, and compares what the page shows: on "coxswain up", then on
upstream's kube-apiserver, kube-controller-manager, kube-scheduler and KWOK. Words choose one of them.
`;

const workspace = fileURLToPath(new URL("../../../", import.meta.url));
const print = (line: string): void => void process.stdout.write(`${line}\n`);

let cluster: Cluster | undefined;
/** The reader's home while a cluster of "coxswain up" runs there. */
let home: string | undefined;
stopOnSignal(async () => {
  if (home !== undefined) await runProgram(process.execPath, [ownLauncher, "down"], { env: { HOME: home } });
  await cluster?.stop();
});

async function follow(folder: string, kubeconfig: string | undefined): Promise<void> {
  if (kubeconfig === undefined) home = folder;
  await runTutorial({
    markdown: readFileSync(join(workspace, "docs/tutorial-operator.md"), "utf8"),
    folder,
    kubectl: await ensureProgram("kubectl"),
    kubeconfig,
    onStep: (step, seconds) => print(`${seconds.toFixed(1).padStart(6)} s  line ${step.line}: ${step.do}`),
  });
}

async function onUpstream(folder: string): Promise<void> {
  const servers = join(folder, "servers");
  mkdirSync(servers);
  cluster = await startCluster({ server: "upstream", folder: servers });
  try {
    await makeNodes(cluster.kubectl, 3);
    const reader = join(folder, "home");
    mkdirSync(reader);
    await follow(reader, cluster.kubeconfig);
  } finally {
    await cluster.stop();
  }
}

const asked = process.argv.slice(2);
if (asked.includes("--help")) print(usage);
else
  for (const on of ["up", "upstream"]) {
    if (asked.length > 0 && !asked.includes(on)) continue;
    const folder = mkdtempSync(join(tmpdir(), "tutorial-"));
    print(`on ${on === "up" ? "coxswain up" : "upstream's programs"}, in ${folder}`);
    try {
      await (on === "up" ? follow(folder, undefined) : onUpstream(folder));
      print("every step ends as the page shows");
      rmSync(folder, { recursive: true, force: true });
    } catch (error) {
      print(`FAILED: ${(error as Error).message}`);
      process.exitCode = 1;
    }
  }
