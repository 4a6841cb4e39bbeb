import { createManager } from "@coxswain/operator";
import { exploreSchedules, startCluster, type TestCluster } from "@coxswain/testkit";
import { expect, it } from "vitest";
import { addMirror } from "./two-cluster-mirror.js";

const labels = { mirror: "true" };
const copies = async ({ client }: TestCluster): Promise<Record<string, unknown>> => {
  const { items } = await client.core.v1.configmaps("default").list({ labelSelector: "example.com/copy=true" });
  return Object.fromEntries(items.map((map) => [map.metadata?.name, map.data?.["v"]]));
};

/** The second cluster has a clock of its own; both go on until nothing moves. */
const pass = async (west: TestCluster, east: TestCluster): Promise<void> => {
  for (let round = 0; round < 6; round++) {
    await west.clock.advance("30s");
    await east.settle();
  }
};

async function mirrors(west: TestCluster): Promise<void> {
  const east = await startCluster({ seed: 7, nodes: 0, controllers: [] });
  try {
    const maps = west.client.core.v1.configmaps("default");
    await west.run("mirror", async (client, world) => {
      const manager = createManager({ client, ...world });
      await manager.clusters.add("east", east.client);
      addMirror(manager, "east");
      void manager.start().catch(() => {}); // a killed program has nobody to report to
      return manager;
    });
    await maps.create({ metadata: { name: "a", labels }, data: { v: "1" } });
    await maps.create({ metadata: { name: "plain" }, data: { v: "1" } });
    await maps.create({ metadata: { name: "gone", labels }, data: { v: "1" } });
    await pass(west, east);
    expect(await copies(east)).toEqual({ a: "1", gone: "1" });

    await maps.patch("a", { merge: { data: { v: "2" } } });
    await maps.delete("gone");
    await pass(west, east);
    expect(await copies(east)).toEqual({ a: "2" });
    await expect(maps.get("gone")).rejects.toThrow("not found");

    await east.client.core.v1.configmaps("default").delete("a");
    await pass(west, east);
    expect(await copies(east)).toEqual({ a: "2" });
  } finally {
    await east.stop();
  }
}

it("keeps a second cluster equal, whichever step is late and whichever write fails", async () => {
  await exploreSchedules(mirrors, { seed: 1, runs: 8 });
}, 300_000);
