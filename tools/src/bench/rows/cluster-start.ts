import { setTimeout as sleep } from "node:timers/promises";
import { connectApi } from "../clusters/api.js";
import { startCluster } from "../clusters/bench-cluster.js";
import type { Row } from "./row.js";

const first = "cluster: command to first pod Running, 3 nodes";
const memory = "cluster: resident memory, idle, 3 nodes";

export const clusterStart: Row = {
  name: "cluster-start",
  figures: [
    { what: first, unit: "ms", better: "less", budget: 1 / 10 },
    { what: memory, unit: "MB", better: "less", budget: 1 / 3 },
  ],
  rounds: 3,
  async measure({ name }) {
    const cluster = await startCluster(name, 3);
    const api = connectApi(cluster.access);
    try {
      const pods = "/api/v1/namespaces/default/pods";
      const pod = { metadata: { name: "first" }, spec: { containers: [{ name: "main", image: "nginx" }] } };
      // Refused until the controller manager has made the namespace's service account.
      while ((await api.send("POST", pods, pod)).status !== 201) await sleep(5);
      await api.until<{ status?: { phase?: string } }>(`${pods}/first`, ({ status }) => status?.phase === "Running", 5);
      const runningMs = performance.now() - cluster.beganMs;
      await sleep(5_000);
      return new Map([
        [first, runningMs],
        [memory, (await cluster.residentBytes()) / 1e6],
      ]);
    } finally {
      api.close();
      await cluster.stop();
    }
  },
};
