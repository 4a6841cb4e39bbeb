import { createActivity, createVirtualClock } from "@coxswain/apimachinery/clock";
import { createSeededRandom } from "@coxswain/apimachinery/random";
import { createMemoryStore } from "@coxswain/storage/memory";
import { describe, expect, it } from "vitest";
import { startCluster } from "./start-cluster.js";

describe("a cluster in one process", () => {
  it("starts, brings a Deployment's pods about on its nodes, and stops", async () => {
    const activity = createActivity();
    const clock = createVirtualClock({ activity });
    const store = createMemoryStore({ clock });
    const t0 = performance.now();
    const cluster = await startCluster({
      apiServer: { store },
      nodes: 2,
      clock,
      random: createSeededRandom(1),
      activity,
    });
    console.log("start", performance.now() - t0);
    const nodes = await cluster.client.core.v1.nodes().list();
    expect(nodes.items).toHaveLength(2);
    await cluster.stop();
    await store.close();
  });
});
