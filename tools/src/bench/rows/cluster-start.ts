import { setTimeout as sleep } from "node:timers/promises";
import { connectApi } from "../clusters/api.js";
import { startCluster } from "../clusters/bench-cluster.js";
import type { Row } from "./row.js";

const startRow = (nodes: number, budget: number): Row => {
  const first = `cluster: command to first pod Running, ${nodes} nodes`;
  const memory = `cluster: resident memory, idle, ${nodes} nodes`;
  return {
    name: `cluster-start-${nodes}`,
    topic: "clusters",
    figures: [
      { what: first, unit: "ms", better: "less", budget },
      { what: memory, unit: "MB", better: "less", budget: 1 / 3 },
    ],
    rounds: 3,
    async measure({ name, signal }) {
      const cluster = await startCluster(name, nodes, signal);
      const api = connectApi(cluster.access, signal);
      try {
        const pods = "/api/v1/namespaces/default/pods";
        const pod = { metadata: { name: "first" }, spec: { containers: [{ name: "main", image: "nginx" }] } };
        // Refused until the controller manager has made the namespace's service account.
        while ((await api.send("POST", pods, pod)).status !== 201) await sleep(5);
        type Pod = { status?: { phase?: string } };
        await api.until<Pod>(`${pods}/first`, ({ status }) => status?.phase === "Running", 5);
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
};

export const clusterStart = startRow(3, 1 / 10);
export const clusterStartLarge = startRow(100, 1 / 6);
