import { setTimeout as sleep } from "node:timers/promises";
import { type Api, connectApi } from "../clusters/api.js";
import { startUpstreamCluster } from "../clusters/upstream-cluster.js";
import { deleteNamespace } from "./cluster-work.js";
import type { Row } from "./row.js";

const bound = "controllers: Deployment of 1,000 pods until all are bound";
const emptied = "controllers: deleting a namespace with 1,000 objects, 5 s of which are waited";
const memory = "controllers: resident memory of the controller manager, 1,000 pods";
const idle = "controllers: CPU of the controller manager when idle, 100 nodes and 1,000 pods";

/** Until events of what was done are written, and what is garbage is collected. */
const restMs = 20_000;
const idleMs = 30_000;

/** The controller managers, each beside kube-apiserver, etcd, kube-scheduler and KWOK. */
export const controllers: Row = {
  name: "controllers",
  topic: "controllers",
  figures: [
    { what: bound, unit: "ms", better: "less", budget: 1 / 2 },
    { what: emptied, unit: "ms", better: "less", budget: 1 / 10 },
    { what: memory, unit: "MB", better: "less", budget: 1 / 2 },
    { what: idle, unit: "%", better: "less", budget: 1, budgetOf: "ours" },
  ],
  async measure({ name, signal }) {
    const cluster = await startUpstreamCluster(100, signal, name);
    const api = connectApi(cluster.access, signal);
    try {
      const boundMs = await deployUntilBound(api, 1_000);
      const emptiedMs = await deleteNamespace(api, 1_000);
      await sleep(restMs);
      const megabytes = (await cluster.manager.residentBytes()) / 1e6;
      const before = cluster.manager.cpuSeconds();
      await sleep(idleMs);
      const idlePercent = ((cluster.manager.cpuSeconds() - before) / (idleMs / 1000)) * 100;
      return new Map([
        [bound, boundMs],
        [emptied, emptiedMs],
        [memory, megabytes],
        [idle, idlePercent],
      ]);
    } finally {
      api.close();
      await cluster.stop();
    }
  },
};

/** From the request that creates the Deployment until all its pods exist and have a node, in milliseconds. */
async function deployUntilBound(api: Api, replicas: number): Promise<number> {
  const labels = { app: "web" };
  const container = { name: "main", image: "nginx", resources: { requests: { cpu: "10m", memory: "16Mi" } } };
  // Pods are refused until the controller manager has made their service account.
  await api.until("/api/v1/namespaces/default/serviceaccounts/default", () => true);
  const began = performance.now();
  await api.create("/apis/apps/v1/namespaces/default/deployments", {
    metadata: { name: "web" },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [container] } },
    },
  });
  await api.until<{ status?: { replicas?: number } }>(
    "/apis/apps/v1/namespaces/default/deployments/web",
    ({ status }) => status?.replicas === replicas,
  );
  await api.until<{ items: unknown[] }>(
    "/api/v1/namespaces/default/pods?fieldSelector=spec.nodeName%3D",
    ({ items }) => items.length === 0,
  );
  return performance.now() - began;
}
