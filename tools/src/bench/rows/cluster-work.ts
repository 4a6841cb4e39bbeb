import { setTimeout as sleep } from "node:timers/promises";
import { type Api, connectApi, inParallel } from "../clusters/api.js";
import { startCluster } from "../clusters/bench-cluster.js";
import type { Row } from "./row.js";

const ready = "cluster: Deployment of 1,000 pods on 100 nodes until Ready";
const idle = "cluster: CPU when idle, 100 nodes and 1,000 pods";
const memory = "cluster: resident memory then";
const emptied = "cluster: deleting a namespace with 1,000 objects";

/** Until leases, statuses and events of what was done are written. */
const restMs = 30_000;
/** Three heartbeats of each node. */
const idleMs = 30_000;

export const clusterWork: Row = {
  name: "cluster-work",
  topic: "clusters",
  figures: [
    { what: ready, unit: "ms", better: "less", budget: 1 / 5 },
    { what: idle, unit: "%", better: "less", budget: 1 / 10 },
    { what: memory, unit: "MB", better: "less", budget: 1 / 3 },
    { what: emptied, unit: "ms", better: "less", budget: 1 / 10 },
  ],
  async measure({ name, signal }) {
    const cluster = await startCluster(name, 100, signal);
    const api = connectApi(cluster.access, signal);
    try {
      const readyMs = await deploy(api, 1_000);
      await sleep(restMs);
      const before = cluster.cpuSeconds();
      await sleep(idleMs);
      const idlePercent = ((cluster.cpuSeconds() - before) / (idleMs / 1000)) * 100;
      const megabytes = (await cluster.residentBytes()) / 1e6;
      return new Map([
        [ready, readyMs],
        [idle, idlePercent],
        [memory, megabytes],
        [emptied, await deleteNamespace(api, 1_000)],
      ]);
    } finally {
      api.close();
      await cluster.stop();
    }
  },
};

/** From the request that creates the Deployment to the status that reports all pods as ready, in milliseconds. */
export async function deploy(api: Api, replicas: number, name = "web"): Promise<number> {
  const labels = { app: name };
  const container = { name: "main", image: "nginx", resources: { requests: { cpu: "10m", memory: "16Mi" } } };
  const began = performance.now();
  await api.create("/apis/apps/v1/namespaces/default/deployments", {
    metadata: { name },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
  await api.until<{ status?: { readyReplicas?: number } }>(
    `/apis/apps/v1/namespaces/default/deployments/${name}`,
    ({ status }) => status?.readyReplicas === replicas,
  );
  return performance.now() - began;
}

/** From the request that deletes it to its end, in milliseconds. */
export async function deleteNamespace(api: Api, objects: number): Promise<number> {
  await api.create("/api/v1/namespaces", { metadata: { name: "full" } });
  await inParallel(objects, 16, (index) =>
    api.create("/api/v1/namespaces/full/configmaps", {
      metadata: { name: `object-${index}` },
      data: { padding: "x".repeat(1_000) },
    }),
  );
  const began = performance.now();
  await api.send("DELETE", "/api/v1/namespaces/full");
  while ((await api.send("GET", "/api/v1/namespaces/full")).status !== 404) await sleep(10);
  return performance.now() - began;
}
