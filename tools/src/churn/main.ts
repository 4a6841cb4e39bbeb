// npm run churn: see `usage`.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Cluster, startCluster } from "../kwok/cluster.js";
import { makeNodes } from "../kwok/simulated-nodes.js";
import { ensureProgram, stopOnSignal } from "../upstream/index.js";
import { compareSnapshots, describeDifference } from "./compare.js";
import { describeOperation, type Operation, planChurn } from "./operations.js";
import { create, perform } from "./perform.js";
import { settle } from "./settle.js";
import { type Snapshot, snapshotOf } from "./snapshot.js";
import { runUpChurn } from "./up/run-up.js";
import { namespace, volumes } from "./workloads.js";

const usage = `npm run tool -- churn [flags]

Does the same seeded churn (create, scale, roll, pause, undo, delete with each propagation policy, kill nodes, change taints)
to a cluster of kube-apiserver, kube-scheduler and KWOK, once with upstream's kube-controller-manager and once with ours, and
compares the two ends object by object: how many there are, their owners, conditions, revisions, and the reasons of events.

With --up: to coxswain up alone, whose process is killed on the way and started again on its data. What is there in the end is
compared with what a new cluster makes of the same specs; nothing may be left of what was deleted, queues must be empty, and memory
must not grow in further rounds.

  --seed N           which churn (default 1)
  --operations N     how much of it (default 60)
  --nodes N          at the beginning (default 8)
  --server SERVER    ours or upstream: whose API server (default upstream)
  --only WHOSE       ours or upstream: one controller manager alone, without the comparison
  --up               coxswain up alone
  --rounds N         with --up: rounds between two looks at memory (default 20: 40 minutes; 0: none)
  --coxswain FILE    launcher of another build of ours (default: the one in this checkout)
`;

type Whose = "ours" | "upstream";

let running: Pick<Cluster, "stop"> | undefined;
stopOnSignal(async () => running?.stop());

const print = (line: string): void => void process.stdout.write(`${line}\n`);

interface RunOptions {
  readonly controllers: Whose;
  readonly server: Whose;
  readonly folder: string;
  readonly nodes: number;
  readonly operations: readonly Operation[];
  readonly coxswain: string | undefined;
}

async function run(options: RunOptions): Promise<Snapshot> {
  const { controllers, folder, operations } = options;
  mkdirSync(folder);
  const cluster = await startCluster({ ...options, controllers });
  running = cluster;
  const began = performance.now();
  try {
    const whole = async (): Promise<Snapshot> => {
      await makeNodes(cluster.kubectl, options.nodes);
      await cluster.kubectl(["create", "namespace", namespace]);
      await create(cluster.kubectl, volumes(60));
      for (const [index, operation] of operations.entries()) {
        await perform(cluster.kubectl, operation).catch((error: unknown) => {
          throw new Error(`operation ${index}, ${describeOperation(operation)}: ${(error as Error).message}`);
        });
        print(`${controllers}: ${index}: ${describeOperation(operation)}`);
      }
      const items = await settle(cluster.kubectl);
      writeFileSync(join(folder, "end.json"), JSON.stringify(items, null, 1));
      print(
        `${controllers}: at rest after ${((performance.now() - began) / 1000).toFixed(0)} s with ${items.length} objects`,
      );
      return snapshotOf(items);
    };
    const result = await Promise.race([whole(), cluster.broken]);
    if (typeof result === "string") throw new Error(result);
    return result;
  } finally {
    await cluster.stop();
  }
}

const isWhose = (word: string | undefined): word is Whose => word === "ours" || word === "upstream";

try {
  const { values } = parseArgs({
    options: {
      seed: { type: "string", default: "1" },
      operations: { type: "string", default: "60" },
      nodes: { type: "string", default: "8" },
      server: { type: "string", default: "upstream" },
      only: { type: "string" },
      coxswain: { type: "string" },
      up: { type: "boolean", default: false },
      rounds: { type: "string", default: "20" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) print(usage);
  else if (values.up) {
    const folder = mkdtempSync(join(tmpdir(), "churn-up-"));
    const [seed, nodes] = [Number(values.seed), Number(values.nodes)];
    const operations = planChurn({ seed, operations: Number(values.operations), nodes, restarts: true });
    print(`seed ${seed}, ${operations.length} operations; data and logs: ${folder}`);
    const wrong = await runUpChurn({
      folder,
      nodes,
      operations,
      seed,
      rounds: Number(values.rounds),
      kubectl: await ensureProgram("kubectl"),
      coxswain: values.coxswain,
      print,
      onStart: (cluster) => (running = cluster),
    });
    for (const what of wrong) print(what);
    print(wrong.length === 0 ? "as a new cluster, and nothing is left over" : `${wrong.length} things are wrong`);
    process.exitCode = wrong.length === 0 ? 0 : 1;
  } else {
    const { server, only } = values;
    if (!isWhose(server)) throw new Error(`--server is ours or upstream, not ${server}`);
    if (only !== undefined && !isWhose(only)) throw new Error(`--only is ours or upstream, not ${only}`);
    for (const program of ["kwok", "kubectl", "kube-controller-manager", "kube-scheduler"] as const)
      await ensureProgram(program);
    const nodes = Number(values.nodes);
    const operations = planChurn({ seed: Number(values.seed), operations: Number(values.operations), nodes });
    const folder = mkdtempSync(join(tmpdir(), "churn-"));
    print(`seed ${values.seed}, ${operations.length} operations; data and logs: ${folder}`);
    const ends = new Map<Whose, Snapshot>();
    for (const controllers of only ? [only] : (["upstream", "ours"] as const))
      ends.set(
        controllers,
        await run({
          controllers,
          server,
          folder: join(folder, controllers),
          nodes,
          operations,
          coxswain: values.coxswain,
        }),
      );
    const [ours, upstream] = [ends.get("ours"), ends.get("upstream")];
    if (ours && upstream) {
      const differences = compareSnapshots(ours, upstream);
      for (const difference of differences) print(describeDifference(difference));
      print(`${upstream.size} objects and groups compared, ${differences.length} differ`);
      process.exitCode = differences.length === 0 ? 0 : 1;
    }
  }
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exitCode = 2;
}
