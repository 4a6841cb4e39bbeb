import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "../../kwok/cluster.js";
import { compareSnapshots, describeDifference } from "../compare.js";
import { eventually } from "../eventually.js";
import { describeOperation, type Operation, planChurn } from "../operations.js";
import { create, perform, type Stage } from "../perform.js";
import { listAll, settle } from "../settle.js";
import { type Item, snapshotOf } from "../snapshot.js";
import { namespace, volumes } from "../workloads.js";
import { currentState } from "./current-state.js";
import { leaks } from "./leaks.js";
import { measureGrowth } from "./memory-growth.js";
import { specsOf } from "./specs-of.js";
import { unfinishedWork } from "./unfinished-work.js";
import { startUp, type UpCluster, type UpOptions } from "./up-cluster.js";

export interface UpChurnOptions extends Omit<UpOptions, "folder"> {
  /** Must exist. */
  readonly folder: string;
  readonly operations: readonly Operation[];
  /** Rounds of churn in the process as it is then, to see whether memory grows. @default 0 */
  readonly rounds?: number;
  readonly seed?: number;
  /** How long nothing may change in a cluster at rest. @default 6,000 */
  readonly quietMs?: number;
  readonly print: (line: string) => void;
  /** Called with each cluster that is started, for those who may have to stop it. */
  readonly onStart?: (cluster: UpCluster) => void;
}

/** Churn on `coxswain up`, which is killed on the way. Answers what is wrong in the end, one sentence each. */
export async function runUpChurn(options: UpChurnOptions): Promise<string[]> {
  const { folder, print, quietMs = 6_000 } = options;
  const start = async (name: string): Promise<UpCluster> => {
    mkdirSync(join(folder, name));
    const cluster = await startUp({ ...options, folder: join(folder, name), probed: (options.rounds ?? 0) > 0 });
    options.onStart?.(cluster);
    return cluster;
  };
  const churned = await start("churned");
  try {
    await carryOut(churned, options);
    const items = await settle(churned.kubectl, { quietMs });
    writeFileSync(join(folder, "churned.json"), JSON.stringify(items, null, 1));
    print(`at rest with ${items.length} objects`);
    const wrong = [...leaks([...items, ...(await listMore(churned.kubectl))]), ...(await busyQueues(churned))];
    const fresh = await start("fresh");
    try {
      const expected = await recreate(fresh, items, quietMs);
      writeFileSync(join(folder, "fresh.json"), JSON.stringify(expected, null, 1));
      const differences = compareSnapshots(snapshotOf(currentState(items)), snapshotOf(currentState(expected)));
      wrong.push(...differences.map((each) => describeDifference(each, ["churned", "fresh"])));
    } finally {
      await fresh.stop();
    }
    if (options.rounds) wrong.push(...(await growth(churned, options, options.rounds)));
    return wrong;
  } finally {
    if (churned.isRunning) await churned.stop();
    writeFileSync(join(folder, "churned.log"), churned.output());
  }
}

const stageOf = (cluster: UpCluster): Stage => ({
  nodeName: (index) => `node-${index}`,
  addNode: () => Promise.reject(new Error("nodes of coxswain up are its own")),
  async restart(afterMs) {
    await sleep(afterMs);
    await cluster.restart();
  },
});

async function carryOut(cluster: UpCluster, { operations, print }: Pick<UpChurnOptions, "operations" | "print">) {
  await cluster.kubectl(["create", "namespace", namespace]);
  await create(cluster.kubectl, volumes(60));
  for (const [index, operation] of operations.entries()) {
    await perform(cluster.kubectl, operation, stageOf(cluster)).catch((error: unknown) => {
      throw new Error(`operation ${index}, ${describeOperation(operation)}: ${(error as Error).message}`);
    });
    print(`${index}: ${describeOperation(operation)}`);
  }
}

/** What `settle` does not look at because it changes all the time, or does not depend on controllers. */
async function listMore(kubectl: Cluster["kubectl"]): Promise<Item[]> {
  const text = await kubectl(["get", "leases,ipaddresses", "--all-namespaces", "--output=json"]);
  return (JSON.parse(text) as { items: Item[] }).items;
}

/** Queues hold what waits for a time, too, so they get some. */
async function busyQueues({ kubectl }: UpCluster): Promise<string[]> {
  let left: string[] = [];
  await eventually(
    async () => {
      left = unfinishedWork(await kubectl(["get", "--raw", "/metrics"]));
      return left.length > 0 ? "queues are not empty" : undefined;
    },
    { timeoutMs: 30_000, everyMs: 1_000 },
  ).catch(() => {}); // `left` reports them
  return left;
}

/** The same specs and taints in a new cluster. */
async function recreate(cluster: UpCluster, items: readonly Item[], quietMs: number): Promise<Item[]> {
  const { kubectl } = cluster;
  for (const { kind, metadata, spec } of items) {
    const { taints = [] } = (kind === "Node" ? spec : {}) as {
      taints?: { key: string; value?: string; effect: string }[];
    };
    for (const { key, value = "", effect } of taints)
      await kubectl(["taint", "nodes", metadata.name, `${key}=${value}:${effect}`]);
  }
  await kubectl(["create", "namespace", namespace]);
  await eventually(async () =>
    (await listAll(kubectl)).some(({ kind, metadata }) => kind === "ServiceAccount" && metadata.namespace === namespace)
      ? undefined
      : "the namespace has no service account",
  );
  await create(kubectl, specsOf(items));
  return settle(kubectl, { quietMs });
}

/** Rounds of churn whose objects are all deleted again, in the process as it is then. */
async function growth(
  cluster: UpCluster,
  { seed = 1, print, quietMs = 6_000 }: UpChurnOptions,
  rounds: number,
): Promise<string[]> {
  const clear = async (): Promise<void> => {
    await cluster.kubectl(["delete", "namespace", namespace, "--timeout=240s"]);
    await cluster.kubectl(["delete", "persistentvolumes", "--all", "--timeout=240s"]);
  };
  await clear();
  const grown = await measureGrowth({
    rounds,
    async round(number) {
      // On so few nodes no operation is about nodes.
      const operations = planChurn({ seed: seed * 1_000 + number, operations: 25, nodes: 3 }).filter(
        (each) => !("node" in each),
      );
      await carryOut(cluster, { operations, print: () => {} });
      await settle(cluster.kubectl, { quietMs });
      await clear();
    },
    liveBytes: () => cluster.liveBytes(),
    sleep: async (ms) => void (await sleep(ms)),
    print,
  });
  return [...(grown === undefined ? [] : [grown]), ...(await busyQueues(cluster))];
}
