import { isNotFound } from "@coxswain/apimachinery/status";
import { createSeededRandom, type RandomSource, randomInt } from "@coxswain/runtime/random";
import type { TestCluster } from "../cluster/test-cluster.js";

const namespace = "churn";
const podSpec = (version: number, rest: object = {}) => ({
  terminationGracePeriodSeconds: 1,
  containers: [
    {
      name: "main",
      image: `example.com/churn:${version}`,
      resources: { requests: { cpu: "10m", memory: "16Mi" } },
      readinessProbe: { exec: { command: ["true"] }, periodSeconds: 5 },
    },
  ],
  ...rest,
});
const template = (app: string, rest?: object) => ({ metadata: { labels: { app } }, spec: podSpec(1, rest) });
const selector = (app: string) => ({ matchLabels: { app } });
const runsOnce = {
  restartPolicy: "Never" as const,
  containers: [{ name: "main", image: "busybox", command: ["sleep", "3"] }],
};

interface Churn {
  readonly cluster: TestCluster;
  readonly random: RandomSource;
  /** Names by kind. */
  readonly made: Record<"deployments" | "statefulsets" | "daemonsets" | "jobs", string[]>;
  count: number;
}

type Operation = (churn: Churn) => Promise<unknown>;

const pick = <T>(random: RandomSource, from: readonly T[]): T | undefined => from[randomInt(from.length, random)];

/** Names an object and remembers it. */
function make(churn: Churn, kind: keyof Churn["made"]): string {
  const name = `${kind}-${churn.count++}`;
  churn.made[kind].push(name);
  return name;
}

const createDeployment: Operation = async (churn) => {
  const { client } = churn.cluster;
  const name = make(churn, "deployments");
  const ports = [{ port: 80 }];
  await client.core.v1.services(namespace).create({ metadata: { name }, spec: { selector: { app: name }, ports } });
  await client.policy.v1
    .poddisruptionbudgets(namespace)
    .create({ metadata: { name }, spec: { minAvailable: 1, selector: selector(name) } });
  await client.apps.v1.deployments(namespace).create({
    metadata: { name },
    spec: { replicas: 1 + randomInt(5, churn.random), selector: selector(name), template: template(name) },
  });
  if (churn.random.next() < 0.3)
    await client.autoscaling.v2.horizontalpodautoscalers(namespace).create({
      metadata: { name },
      spec: { maxReplicas: 6, scaleTargetRef: { apiVersion: "apps/v1", kind: "Deployment", name } },
    });
};

const createStatefulSet: Operation = (churn) => {
  const name = make(churn, "statefulsets");
  return churn.cluster.client.apps.v1.statefulsets(namespace).create({
    metadata: { name },
    spec: { replicas: 2, serviceName: name, selector: selector(name), template: template(name) },
  });
};

const createDaemonSet: Operation = (churn) => {
  const name = make(churn, "daemonsets");
  return churn.cluster.client.apps.v1
    .daemonsets(namespace)
    .create({ metadata: { name }, spec: { selector: selector(name), template: template(name) } });
};

const createJob: Operation = (churn) =>
  churn.cluster.client.batch.v1.jobs(namespace).create({
    metadata: { name: make(churn, "jobs") },
    spec: { completions: 3, parallelism: 2, ttlSecondsAfterFinished: 30, template: { spec: runsOnce } },
  });

const createCronJob: Operation = (churn) =>
  churn.cluster.client.batch.v1.cronjobs(namespace).create({
    metadata: { name: `cron-${churn.count++}` },
    spec: { schedule: "* * * * *", jobTemplate: { spec: { template: { spec: runsOnce } } } },
  });

const scale: Operation = async (churn) => {
  const name = pick(churn.random, churn.made.deployments);
  if (name === undefined) return;
  await churn.cluster.client.apps.v1
    .deployments(namespace)
    .patch(name, { merge: { spec: { replicas: randomInt(7, churn.random) } } });
};

const roll: Operation = async (churn) => {
  const name = pick(churn.random, churn.made.deployments);
  if (name === undefined) return;
  await churn.cluster.client.apps.v1
    .deployments(namespace)
    .patch(name, { merge: { spec: { template: { spec: podSpec(2 + randomInt(3, churn.random)) } } } });
};

const remove: Operation = async (churn) => {
  const kinds = ["deployments", "statefulsets", "daemonsets"] as const;
  const kind = pick(churn.random, kinds) ?? "deployments";
  const name = churn.made[kind].shift();
  const propagationPolicy = pick(churn.random, ["Background", "Foreground", "Orphan"] as const) ?? "Background";
  if (name !== undefined) await churn.cluster.client.apps.v1[kind](namespace).delete(name, { propagationPolicy });
};

const disturbNode: Operation = async ({ cluster: { nodes, clock }, random }) => {
  const name = pick(random, nodes.names);
  if (name === undefined) return;
  if (random.next() < 0.5) await nodes.kill(name);
  else nodes.partition(name);
  await clock.advance(1000 * (1 + randomInt(90, random)));
  await nodes.recover(name);
};

const dropWatches: Operation = async ({ cluster }) => cluster.faults.dropWatches();

const operations: readonly Operation[] = [
  createDeployment,
  createStatefulSet,
  createDaemonSet,
  createJob,
  createCronJob,
  scale,
  scale,
  roll,
  roll,
  remove,
  disturbNode,
  dropWatches,
];

/** One operation may delete what the other is about to change. */
function unlessGone(error: unknown): void {
  if (!isNotFound(error)) throw error;
}

/** Work for all controllers, drawn from the cluster's seed: workloads come, change and go, nodes die, requests fail. */
export async function churn(cluster: TestCluster, rounds: number): Promise<void> {
  const { client, clock, faults } = cluster;
  const random = createSeededRandom(`churn ${cluster.seed}`);
  const state: Churn = {
    cluster,
    random,
    made: { deployments: [], statefulsets: [], daemonsets: [], jobs: [] },
    count: 0,
  };
  await client.core.v1.namespaces().create({ metadata: { name: namespace } });
  await cluster.settle();
  for (const fault of ["conflict", "internalError", "tooManyRequests", "lostAnswer"] as const)
    faults.add({ fault, verb: "write", user: /^system:/, probability: 0.01 });
  for (const operation of operations.slice(0, 5)) await operation(state);
  for (let round = 0; round < rounds; round++) {
    // Several at once: their requests and what they bring about compete.
    await Promise.all([0, 1].map(() => (pick(random, operations.slice(0, 10)) ?? scale)(state).catch(unlessGone)));
    await clock.advance(randomInt(8000, random));
    if (round % 3 === 2) await (pick(random, operations) ?? scale)(state);
  }
  faults.clear();
  await clock.advance("30s");
  await client.core.v1.namespaces().delete(namespace);
  await clock.advance("30s");
}
