import { systemClock } from "@coxswain/runtime/clock";
import { startCluster, type TestCluster } from "@coxswain/testkit";

/** One figure of the test kit, with what it shall be. */
interface Row {
  readonly name: string;
  readonly budget: string;
  measure(): Promise<Measured>;
}

interface Measured {
  readonly text: string;
  /** For `--json`; the median where it was measured several times. */
  readonly ms?: number;
}

const ms = async (work: () => Promise<unknown>): Promise<number> => {
  const began = systemClock.monotonic();
  await work();
  return systemClock.monotonic() - began;
};
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

async function repeated(count: number, work: () => Promise<number>): Promise<Measured> {
  const values: number[] = [];
  for (let at = 0; at < count; at++) values.push(await work());
  return { text: `${median(values).toFixed(0)} ms (best ${Math.min(...values).toFixed(0)})`, ms: median(values) };
}

async function withObjects(count: number): Promise<TestCluster> {
  const cluster = await startCluster({ seed: 1, nodes: 0 });
  const maps = cluster.client.core.v1.configmaps("default");
  for (let at = 0; at < count; at++) await maps.create({ metadata: { name: `map-${at}` }, data: { key: "value" } });
  await cluster.settle();
  return cluster;
}

const forkAndStop = async (cluster: TestCluster, test: (fork: TestCluster) => Promise<unknown>): Promise<number> => {
  let fork: TestCluster | undefined;
  const took = await ms(async () => {
    fork = await cluster.fork();
    await test(fork);
  });
  await fork?.stop();
  return took;
};

async function week(schedule: string): Promise<number> {
  const cluster = await startCluster({ seed: 1 });
  const container = { name: "main", image: "busybox", command: ["true"] };
  const template = { spec: { restartPolicy: "Never" as const, containers: [container] } };
  await cluster.client.batch.v1
    .cronjobs("default")
    .create({ metadata: { name: "job" }, spec: { schedule, jobTemplate: { spec: { template } } } });
  const took = await ms(() => cluster.clock.advance("7d"));
  await cluster.stop();
  return took;
}

const heapMb = (): number => {
  (globalThis as { gc?: () => void }).gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

/** Forks and stops; what is alive after each tenth. */
async function memory(forks: number): Promise<Measured> {
  const cluster = await startCluster({ seed: 1, nodes: 0, controllers: [], scheduler: false });
  const alive: number[] = [];
  for (let at = 1; at <= forks; at++) {
    await (await cluster.fork()).stop();
    if (at % (forks / 10) === 0) alive.push(heapMb());
  }
  await cluster.stop();
  const grown = (alive.at(-1) ?? 0) - (alive[1] ?? 0);
  return {
    text: `${grown.toFixed(1)} MB more than after ${forks / 5} (${alive.map((each) => each.toFixed(0)).join(" ")})`,
  };
}

const rows: readonly Row[] = [
  {
    name: "startCluster(), everything running, warm",
    budget: "300 ms",
    measure: () =>
      repeated(7, async () => {
        let cluster: TestCluster | undefined;
        const took = await ms(async () => void (cluster = await startCluster({ seed: 1 })));
        await cluster?.stop();
        return took;
      }),
  },
  {
    name: "fork() of 1,000 objects, all controllers",
    budget: "25 ms",
    async measure() {
      const cluster = await withObjects(1000);
      const figure = await repeated(7, () => forkAndStop(cluster, async () => {}));
      await cluster.stop();
      return figure;
    },
  },
  {
    name: "fork(), API server alone",
    budget: "",
    async measure() {
      const cluster = await startCluster({ seed: 1, nodes: 0, controllers: [], scheduler: false });
      const figure = await repeated(15, () => forkAndStop(cluster, async () => {}));
      await cluster.stop();
      return figure;
    },
  },
  {
    name: "a week of a daily CronJob, three nodes",
    budget: "1,000 ms",
    measure: () => repeated(3, () => week("0 3 * * *")),
  },
  {
    name: "a week of an hourly CronJob, three nodes",
    budget: "4,000 ms",
    measure: () => repeated(1, () => week("0 * * * *")),
  },
  {
    name: "100 tests, each on a fork of its own",
    budget: "5,000 ms",
    async measure() {
      const cluster = await startCluster({ seed: 1, nodes: 0 });
      const took = await ms(async () => {
        for (let at = 0; at < 100; at++)
          await forkAndStop(cluster, (fork) =>
            fork.client.core.v1.configmaps("default").create({ metadata: { name: "a" } }),
          );
      });
      await cluster.stop();
      return { text: `${took.toFixed(0)} ms`, ms: took };
    },
  },
  { name: "memory after 1,000 forks and stops", budget: "flat", measure: () => memory(1000) },
];

// main.js [part of a row's name] [--json]: the figures as a line of JSON for each row.
const wanted = process.argv.slice(2).find((each) => each !== "--json");
const asJson = process.argv.includes("--json");
for (const { name, budget, measure } of rows) {
  if (wanted !== undefined && !name.includes(wanted)) continue;
  const [before, began] = [process.cpuUsage(), systemClock.monotonic()];
  const { text, ms: took } = await measure();
  if (asJson) {
    console.log(JSON.stringify({ name, ms: took }));
    continue;
  }
  const { user, system } = process.cpuUsage(before);
  // Close to 1 and above on a quiet machine; where it is far below, others had the processors, and the figures are theirs.
  const share = (user + system) / 1000 / (systemClock.monotonic() - began);
  console.log(
    `${name.padEnd(44)} ${text}${budget === "" ? "" : `   budget: ${budget}`}   (processors: ${share.toFixed(1)})`,
  );
}
