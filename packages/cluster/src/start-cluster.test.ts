import { systemRuntime, testRuntime } from "@coxswain/runtime";
import type { WorkTrace } from "@coxswain/runtime/activity";
import { createActivity } from "@coxswain/runtime/activity";
import { createVirtualClock } from "@coxswain/runtime/clock";
import { createMemoryStore } from "@coxswain/storage/memory";
import { expect, it } from "vitest";
import { clusterFeatureGates } from "./cluster-feature-gates.js";
import { startCluster } from "./start-cluster.js";

it("a cluster in one process brings a Deployment's pods about on its nodes, and stops", async () => {
  const activity = createActivity();
  const clock = createVirtualClock({ activity });
  const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
  const cluster = await startCluster({
    runtime: testRuntime(1, { clock }),
    featureGates: clusterFeatureGates(),
    // Seats are held for some milliseconds after a write; in time that stands still that would be for ever.
    apiServer: { store, limits: { priorityAndFairness: false } },
    nodes: 2,
  });
  await clock.settle(); // the nodes are ready
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

/** Nothing but the API server. */
const serverOnly = { controllers: [], scheduler: false, featureGates: clusterFeatureGates() } as const;

it("work of the API server's own controllers is counted: a settled CustomResourceDefinition is established and served", async () => {
  const runtime = testRuntime(1);
  const { clock, activity } = runtime;
  const store = createMemoryStore({ runtime: systemRuntime({ clock }) });
  const apiServer = { store, limits: { priorityAndFairness: false } };
  const cluster = await startCluster({ ...serverOnly, runtime, apiServer });
  await clock.settle();
  const counts: number[] = [];
  const trace: WorkTrace = {
    handling: undefined,
    queued: () => {},
    retried: () => {},
    began: (queue) => void (queue === "custom-resource-definitions" && counts.push(activity.count)),
    ended: () => {},
    as: () => trace,
  };
  activity.trace = trace;
  const definitions = cluster.client.apiextensions.v1.customresourcedefinitions();
  await definitions.create({
    metadata: { name: "boats.example.com" },
    spec: {
      group: "example.com",
      scope: "Namespaced",
      names: { plural: "boats", kind: "Boat" },
      versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
    },
  });
  await clock.settle();
  expect(counts.length).toBeGreaterThan(0);
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(activity.count).toBe(0);
  const { status } = await definitions.get("boats.example.com");
  expect(status?.conditions?.find(({ type }) => type === "Established")?.status).toBe("True");
  const boats = cluster.client.dynamic({ group: "example.com", version: "v1", resource: "boats" }, "default");
  expect((await boats.list()).items).toEqual([]);
  await cluster.stop();
  await store.close();
});

for (const { name, endsWatches, ended } of [
  { name: "watches of the cluster's client end when their time is over", endsWatches: true, ended: true },
  { name: "watches of the cluster's client last where no watch is to end", endsWatches: false, ended: false },
])
  it(name, async () => {
    const runtime = testRuntime(1);
    const store = createMemoryStore({ runtime });
    const apiServer = { store, limits: { priorityAndFairness: false } };
    const cluster = await startCluster({ ...serverOnly, runtime, apiServer, endsWatches });
    const watch = await cluster.client.core.v1.configmaps("default").watch({ timeoutSeconds: 60 });
    let isOver = false;
    const reading = (async () => {
      for await (const _ of watch);
      isOver = true;
    })();
    await runtime.clock.advance(61_000);
    expect(isOver).toBe(ended);
    watch.stop();
    await reading;
    await cluster.stop();
    await store.close();
  });
