import type { JobSpec } from "@coxswain/api/batch/v1";
import type { Pod, PodTemplateSpec } from "@coxswain/api/core/v1";
import { systemRuntime, testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { clusterFeatureGates } from "./cluster-feature-gates.js";
import { type Cluster, startCluster } from "./start-cluster.js";

const templateOf = (app: string, command: string[] = []): PodTemplateSpec => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: "main", image: "app:1", command, readinessProbe: { httpGet: { port: 80 } } }] },
});
const jobOf = (seconds: number, completions: number): JobSpec => ({
  completions,
  template: {
    spec: {
      restartPolicy: "Never",
      containers: [{ name: "main", image: "task:1", command: ["sleep", `${seconds}`] }],
    },
  },
});

async function makeWorkloads({ client }: Cluster): Promise<void> {
  const selector = (app: string) => ({ matchLabels: { app } });
  await client.apps.v1.deployments("default").create({
    metadata: { name: "web" },
    spec: { replicas: 3, selector: selector("web"), template: templateOf("web") },
  });
  await client.apps.v1.statefulsets("default").create({
    metadata: { name: "db" },
    spec: {
      replicas: 2,
      serviceName: "db",
      selector: selector("db"),
      template: templateOf("db", ["sleep", "99999"]),
    },
  });
  await client.apps.v1
    .daemonsets("default")
    .create({ metadata: { name: "agent" }, spec: { selector: selector("agent"), template: templateOf("agent") } });
  await client.batch.v1.jobs("default").create({ metadata: { name: "job" }, spec: jobOf(240, 2) });
  await client.batch.v1
    .cronjobs("default")
    .create({ metadata: { name: "cron" }, spec: { schedule: "*/5 * * * *", jobTemplate: { spec: jobOf(10, 1) } } });
}

const podsOf = async ({ client }: Cluster): Promise<readonly Pod[]> =>
  (await client.core.v1.pods("default").list()).items;
/** Not of nodes, whose kubelets report that they start. */
const eventsOf = async ({ client }: Cluster): Promise<string[]> =>
  (await client.core.v1.events("default").list()).items
    .filter(({ involvedObject }) => involvedObject.kind !== "Node")
    .map(({ involvedObject, reason, count }) => `${involvedObject.name} ${reason} ${count}`);

describe("a cluster that is started again on its data", { timeout: 60_000 }, () => {
  it("keeps what ran as it ran, after any time, and goes on with Jobs and CronJobs", async () => {
    const activity = createActivity();
    const clock = createVirtualClock({ startMs: Date.UTC(2026, 0, 1, 0, 1), activity });
    const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
    const runtime = testRuntime(1, { clock });
    const start = (): Promise<Cluster> =>
      startCluster({
        runtime,
        featureGates: clusterFeatureGates(),
        // Seats are held for some milliseconds after a write; in time that stands still that would be for ever.
        apiServer: { store, limits: { priorityAndFairness: false } },
        nodes: 2,
      });
    const before = await start();
    await makeWorkloads(before);
    await clock.advance(30_000);
    const running = await podsOf(before);
    expect(running.map(({ status }) => status?.phase)).toEqual(Array.from({ length: 8 }, () => "Running"));
    const eventsBefore = await eventsOf(before);
    await before.stop();

    await clock.advance(60_000); // longer than a node may be silent
    const after = await start();
    await clock.advance(60_000);
    expect(await podsOf(after)).toEqual(running);
    expect(await eventsOf(after)).toEqual(eventsBefore);

    await clock.advance(180_000);
    expect((await after.client.batch.v1.jobs("default").get("job")).status).toMatchObject({ succeeded: 1, active: 1 });
    const { status } = await after.client.batch.v1.cronjobs("default").get("cron");
    expect(status?.lastSuccessfulTime).toContain("2026-01-01T00:05:1");
    await after.stop();
    await store.close();
  });
});
