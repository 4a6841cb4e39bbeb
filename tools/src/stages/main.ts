// npm run stages: see `usage`.
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type CoxswainProcess, removeDataDir, startCoxswain } from "../clients/coxswain-process.js";
import { runProgram } from "../clients/run-program.js";
import { ensureProgram, kwokVersion, moduleFolder, startProcess, stopOnSignal } from "../upstream/index.js";
import { compareStatuses, type Listed, type NodeObject, plainNode } from "./compare-statuses.js";
import { pods } from "./pods.js";

const usage = `npm run tool -- stages

Plays KWOK's published stages on the same pods twice: with KWOK beside "coxswain up" without nodes, and with the simulated
nodes of "coxswain up --stages". Passes when the statuses that the pods end with are equal, times and addresses aside.
`;

/** Sets of stages, and the seconds after which nothing changes any more. */
const sets: readonly { readonly folders: readonly string[]; readonly seconds: number }[] = [
  { folders: ["node/fast", "node/heartbeat-with-lease", "pod/fast"], seconds: 10 },
  { folders: ["node/fast", "pod/general", "pod/chaos"], seconds: 45 },
];

const running: { stop(): Promise<unknown> }[] = [];
const stopAll = async (): Promise<void> => {
  for (const each of running.splice(0).reverse()) await each.stop();
};
stopOnSignal(stopAll);

async function play(folders: readonly string[], seconds: number): Promise<boolean> {
  const work = mkdtempSync(join(tmpdir(), "stages-"));
  const [kubectl, kwok] = [await ensureProgram("kubectl"), await ensureProgram("kwok")];
  const up = async (args: readonly string[]): Promise<CoxswainProcess> => {
    const cluster = await startCoxswain({ command: "up", args: ["--in-memory", ...args] });
    running.push({ stop: async () => (await cluster.stop(), removeDataDir(cluster)) });
    return cluster;
  };
  const run = async ({ kubeconfig }: CoxswainProcess, args: readonly string[], input = ""): Promise<string> => {
    const { code, stdout, stderr } = await runProgram(kubectl, ["--kubeconfig", kubeconfig, ...args], { input });
    if (code !== 0) throw new Error(`kubectl ${args.join(" ")}: ${stderr}`);
    return stdout;
  };
  const list = async (cluster: CoxswainProcess): Promise<Listed> =>
    JSON.parse(await run(cluster, ["get", "pods", "--output=json"])) as Listed;
  try {
    const ours = await up(["--nodes=1", `--stages=${folders.join(",")}`]);
    const theirs = await up(["--nodes=0"]);
    const config = join(work, "kwok.yaml");
    writeFileSync(config, folders.flatMap(documents).join("\n---\n"));
    running.push(
      await startProcess({
        name: "kwok",
        command: kwok,
        logFile: join(work, "kwok.log"),
        args: [
          `--kubeconfig=${theirs.kubeconfig}`,
          `--config=${config}`,
          "--manage-all-nodes=true",
          "--node-lease-duration-seconds=40",
          "--server-address=127.0.0.1:0",
        ],
      }),
    );
    const node = JSON.parse(await run(ours, ["get", "node", "node-0", "--output=json"])) as NodeObject;
    await run(theirs, ["create", "--filename=-"], JSON.stringify(plainNode(node)));
    for (const cluster of [ours, theirs]) await run(cluster, ["create", "--filename=-"], JSON.stringify(pods));
    await wait(seconds * 1000);
    const rows = compareStatuses(await list(ours), await list(theirs));
    for (const { name, phase, differences } of rows) {
      process.stdout.write(`${differences.length === 0 ? "equal  " : "DIFFERS"}  ${name} ${phase ?? ""}\n`);
      for (const difference of differences) process.stdout.write(`         ${difference}\n`);
    }
    return rows.length > 0 && rows.every(({ differences }) => differences.length === 0);
  } finally {
    await stopAll();
    rmSync(work, { recursive: true, force: true });
  }
}

const documents = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(".yaml") && name !== "kustomization.yaml")
    .sort()
    .map((name) => readFileSync(join(folder, name), "utf8"));

async function main(): Promise<number> {
  const root = await moduleFolder(`sigs.k8s.io/kwok@${kwokVersion}`);
  let isEqual = true;
  for (const { folders, seconds } of sets) {
    process.stdout.write(`${folders.join(", ")}\n`);
    const paths = folders.map((folder) => join(root, "kustomize/stage", folder));
    if (!(await play(paths, seconds))) isEqual = false;
  }
  return isEqual ? 0 : 1;
}

if (process.argv.includes("--help")) process.stdout.write(usage);
else process.exitCode = await main();
