/** Files of a project that somebody writes in the first hour with the libraries: a controller that watches pods, and a test of it. */
export const projectFiles: Readonly<Record<string, string>> = {
  "tsconfig.json": JSON.stringify({
    compilerOptions: { target: "es2023", module: "nodenext", strict: true, outDir: "dist", types: ["node"] },
    include: ["*.ts"],
  }),
  "pod-counter.ts": `import type { Manager } from "@coxswain/operator";
import { builtIn } from "@coxswain/operator";

const { configmaps, pods } = builtIn.core.v1;

/** Keeps the number of pods of each namespace in its ConfigMap "pods". */
export function addPodCounter(manager: Manager): void {
  manager
    .controller("pod-counter")
    .for(pods)
    .reconcile(async ({ namespace }, context) => {
      const count = String((await context.list(pods, { namespace })).length);
      const maps = context.resource(configmaps, namespace);
      await maps.apply({ metadata: { name: "pods" }, data: { count } }, { fieldManager: "pod-counter" });
    });
}
`,
  "pod-counter.test.ts": `import type { CronJob } from "@coxswain/api/batch/v1";
import { createManager } from "@coxswain/operator";
import { startCluster, type TestCluster } from "@coxswain/testkit";
import { afterEach, expect, it } from "vitest";
import { addPodCounter } from "./pod-counter.js";

const open: TestCluster[] = [];
afterEach(() => Promise.all(open.splice(0).map((cluster) => cluster.stop())));

const start = (cluster: TestCluster) =>
  cluster.run("pod-counter", (client, world) => {
    const manager = createManager({ client, ...world });
    addPodCounter(manager);
    void manager.start().catch(() => {}); // a killed program has nobody to report to
    return manager;
  });
const count = async ({ client }: TestCluster) => (await client.core.v1.configmaps("default").get("pods")).data?.["count"];
const hourly: CronJob = {
  metadata: { name: "hourly" },
  spec: {
    schedule: "0 * * * *",
    jobTemplate: {
      spec: { template: { spec: { restartPolicy: "Never", containers: [{ name: "job", image: "busybox" }] } } },
    },
  },
};

it("counts the pod of an hourly CronJob, in a fork that the other does not see, and after conflicts", async () => {
  const cluster = await startCluster();
  open.push(cluster);
  await cluster.client.batch.v1.cronjobs("default").create(hourly);
  await cluster.settle();
  const fork = await cluster.fork();
  open.push(fork);

  fork.faults.add({ fault: "internalError", verb: "write", resource: "configmaps", user: "program:pod-counter", times: 2 });
  await start(fork);
  await fork.clock.advance("61m");
  expect(await count(fork)).toBe("1");
  expect((await cluster.client.core.v1.pods("default").list()).items).toEqual([]);
}, 120_000);
`,
  "main.ts": `import { runOperator } from "@coxswain/operator/node";
import { addPodCounter } from "./pod-counter.js";

await runOperator({ leaderElectionId: "pod-counter.example.com", setUp: addPodCounter });
`,
};

/** What people mistype. It does not compile. */
export const typos = `import type { Client } from "@coxswain/client";
declare const client: Client;
client.core.v1.podz("default");
client.apps.v2;
client.apps.v1.deploymets("default");
`;
