import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { ttlController } from "./controller.js";
import { secondsOf, stepFor } from "./plan.js";

describe("how long kubelets may keep objects", () => {
  const rows = [
    { name: "not at all in a small cluster", nodes: 100, from: 0, seconds: 0 },
    { name: "longer with one node more", nodes: 101, from: 0, seconds: 15 },
    { name: "as long when that node goes again", nodes: 100, from: 1, seconds: 15 },
    { name: "less once the next step is left", nodes: 89, from: 1, seconds: 0 },
    { name: "five minutes at most", nodes: 100_000, from: 0, seconds: 300 },
    { name: "over several steps at once", nodes: 0, from: 4, seconds: 0 },
  ];
  for (const row of rows) it(row.name, () => expect(secondsOf(stepFor(row.nodes, row.from))).toBe(row.seconds));
});

describe("the ttl controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());

  it("annotates nodes, again when the annotation is changed, and after a restart", async () => {
    cluster = await startTestCluster({ controllers: [ttlController] });
    const nodes = cluster.client.core.v1.nodes();
    const annotations = async (name: string) => (await nodes.get(name)).metadata?.annotations;
    await nodes.create({ metadata: { name: "n1" } });
    await cluster.settle();
    expect(await annotations("n1")).toEqual({ "node.alpha.kubernetes.io/ttl": "0" });
    await nodes.patch("n1", { merge: { metadata: { annotations: { "node.alpha.kubernetes.io/ttl": "x" } } } });
    await cluster.settle();
    expect(await annotations("n1")).toEqual({ "node.alpha.kubernetes.io/ttl": "0" });
    const restarted = cluster.restart();
    await nodes.create({ metadata: { name: "n2" } });
    await restarted;
    await cluster.settle();
    expect(await annotations("n2")).toEqual({ "node.alpha.kubernetes.io/ttl": "0" });
  });
});
