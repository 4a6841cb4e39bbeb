import { setTimeout as sleep } from "node:timers/promises";
import { connectApi } from "../clusters/api.js";
import { startOurCluster } from "../clusters/our-cluster.js";
import { deploy } from "./cluster-work.js";
import type { Row } from "./row.js";

const what = "cluster: heap of a simulated pod, after a collection";
const pods = 3_000;
/** Until events and statuses are written and reported. */
const restMs = 15_000;

/** V8's heap alone, with all that a pod brings with it: events, its place in every cache, its worker. */
export const clusterHeap: Row = {
  name: "cluster-heap",
  topic: "clusters",
  only: "ours",
  figures: [{ what, unit: "KB", better: "less", budget: 25, budgetOf: "ours" }],
  async measure({ signal }) {
    const cluster = await startOurCluster(100, { probed: true });
    const api = connectApi(cluster.access, signal);
    try {
      await deploy(api, pods / 10, "first"); // code that is compiled meanwhile is nobody's
      await sleep(restMs);
      const before = await cluster.probe();
      await deploy(api, pods, "rest");
      await sleep(restMs);
      const after = await cluster.probe();
      return new Map([[what, (after.heapBytes - before.heapBytes) / pods / 1e3]]);
    } finally {
      api.close();
      await cluster.stop();
    }
  },
};
