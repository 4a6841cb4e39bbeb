
import { afterEach, beforeEach, describe, it } from "vitest";
import assert from "node:assert/strict";
import { startCluster, withCluster } from "@coxswain/testkit";
const lean = { seed: 41, nodes: 0, controllers: [], scheduler: false };
const make = (cluster) => cluster.client.core.v1.configmaps("default").create({ metadata: { name: "made" } });
it("passes", withCluster(async (cluster) => { await make(cluster); }, { ...lean, seed: 40 }));
it("fails with a cluster", withCluster(async (cluster) => { await make(cluster); assert.equal(1, 2); }, lean));
describe("a suite", () => {
  let cluster;
  beforeEach(async () => { cluster = await startCluster({ ...lean, seed: 42 }); });
  afterEach(() => cluster.stop());
  it("fails before its hook", async () => { await make(cluster); assert.equal(1, 2); });
});
