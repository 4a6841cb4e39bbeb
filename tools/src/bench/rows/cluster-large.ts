import { connectApi } from "../clusters/api.js";
import { startCluster } from "../clusters/bench-cluster.js";
import { deploy } from "./cluster-work.js";
import type { Row } from "./row.js";

const what = "cluster: 10,000 pods on 1,000 nodes until Ready";

export const clusterLarge: Row = {
  name: "cluster-large",
  topic: "clusters",
  figures: [{ what, unit: "ms", better: "less", budget: 1 / 8 }],
  isLong: true,
  mostMinutes: 20,
  async measure({ name, signal }) {
    const cluster = await startCluster(name, 1_000, signal);
    const api = connectApi(cluster.access, signal);
    try {
      return new Map([[what, await deploy(api, 10_000)]]);
    } finally {
      api.close();
      await cluster.stop();
    }
  },
};
