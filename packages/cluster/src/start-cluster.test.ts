import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createSeededRandom } from "@coxswain/runtime/random";
import { macrotask } from "@coxswain/runtime/event-loop";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it } from "vitest";
import { startCluster } from "./start-cluster.js";

it("a cluster in one process brings a Deployment's pods about on its nodes, and stops", async () => {
  const activity = createActivity({
    yieldToOthers: async () => {
      for (let turn = 0; turn < 3; turn++) await macrotask();
    },
  });
  const clock = createVirtualClock({ activity });
  const store = createMemoryStore({ clock });
  const random = createSeededRandom(1);
  const cluster = await startCluster({ apiServer: { store }, nodes: 2, clock, random, activity });
  const { client } = cluster;
  const labels = { app: "web" };
  await client.apps.v1.deployments("default").create({
    metadata: { name: "web" },
    spec: {
      replicas: 3,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: "web", image: "nginx" }] } },
    },
  });
  await clock.advance(5000);
  const pods = (await client.core.v1.pods("default").list()).items;
  expect(pods.map(({ status }) => status?.phase)).toEqual(["Running", "Running", "Running"]);
  expect(new Set(pods.map(({ spec }) => spec?.nodeName)).size).toBe(2);
  expect((await client.apps.v1.deployments("default").get("web")).status?.readyReplicas).toBe(3);
  await cluster.stop();
  await store.close();
});
