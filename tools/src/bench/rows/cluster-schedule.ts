import { connectApi, inParallel } from "../clusters/api.js";
import { startCluster } from "../clusters/bench-cluster.js";
import type { Row } from "./row.js";

const what = "cluster: pods scheduled per second on 5,000 nodes";
const pods = 2_000;

/** From the first create to the last assignment; creates come 16 at a time from the bench's own process. */
export const clusterSchedule: Row = {
  name: "cluster-schedule",
  topic: "clusters",
  figures: [{ what, unit: "per s", better: "more", budget: 2 }],
  isLong: true,
  mostMinutes: 20,
  async measure({ name, signal }) {
    const cluster = await startCluster(name, 5_000, signal);
    const api = connectApi(cluster.access, signal);
    try {
      const path = "/api/v1/namespaces/default/pods";
      const container = { name: "main", image: "nginx", resources: { requests: { cpu: "100m", memory: "64Mi" } } };
      const began = performance.now();
      await inParallel(pods, 16, (index) =>
        api.create(path, { metadata: { name: `pod-${index}` }, spec: { containers: [container] } }),
      );
      await api.until<{ items: unknown[] }>(
        `${path}?fieldSelector=spec.nodeName%3D&limit=1`,
        ({ items }) => items.length === 0,
      );
      return new Map([[what, pods / ((performance.now() - began) / 1000)]]);
    } finally {
      api.close();
      await cluster.stop();
    }
  },
};
