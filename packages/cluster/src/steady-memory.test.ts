import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { testRuntime } from "@coxswain/runtime";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { macrotask } from "@coxswain/runtime/event-loop";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it } from "vitest";
import { clusterFeatureGates } from "./cluster-feature-gates.js";
import { startCluster } from "./start-cluster.js";

const pods = 6;
/** So large that a cluster that keeps pods after their deletion is seen to do so. */
const ballast = "x".repeat(250_000);
const [warmingRounds, rounds] = [3, 4];

/** A slice of `npm run tool -- churn --up`, which measures a process with its data on disk. */
it("pods that are gone take no memory", { timeout: 240_000 }, async () => {
  const activity = createActivity({
    yieldToOthers: async () => {
      for (let turn = 0; turn < 3; turn++) await macrotask();
    },
  });
  const clock = createVirtualClock({ activity });
  const store = createMemoryStore({ clock, compaction: {} });
  const cluster = await startCluster({
    runtime: testRuntime(1, { clock }),
    featureGates: clusterFeatureGates(),
    // Seats are held for some milliseconds after a write; in time that stands still that would be for ever.
    apiServer: { store, limits: { priorityAndFairness: false } },
    nodes: 2,
  });
  const { namespaces, services } = cluster.client.core.v1;
  const { deployments } = cluster.client.apps.v1;
  const labels = { app: "web" };

  async function round(): Promise<void> {
    await namespaces().create({ metadata: { name: "churn" } });
    await services("churn").create({ metadata: { name: "web" }, spec: { selector: labels, ports: [{ port: 80 }] } });
    await deployments("churn").create({
      metadata: { name: "web" },
      spec: {
        replicas: pods,
        selector: { matchLabels: labels },
        template: {
          metadata: { labels, annotations: { ballast } },
          spec: { terminationGracePeriodSeconds: 1, containers: [{ name: "web", image: "nginx" }] },
        },
      },
    });
    await clock.advance(5_000);
    expect((await deployments("churn").get("web")).status?.readyReplicas).toBe(pods);
    await namespaces().delete("churn");
    await clock.advance(80_000); // longer than watch caches keep events
    expect((await namespaces().list()).items.map(({ metadata }) => metadata?.name)).not.toContain("churn");
  }

  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  async function heapUsed(): Promise<number> {
    for (let time = 0; time < 3; time++) {
      collect();
      await macrotask();
    }
    return process.memoryUsage().heapUsed;
  }

  for (let number = 0; number < warmingRounds; number++) await round();
  const before = await heapUsed();
  for (let number = 0; number < rounds; number++) await round();
  const kept = ((await heapUsed()) - before) / ballast.length;
  expect(kept).toBeLessThan((rounds * pods) / 2);
  await cluster.stop();
  await store.close();
});
