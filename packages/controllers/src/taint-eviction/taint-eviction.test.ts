import type { Toleration } from "@coxswain/api/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { taintEvictionController } from "./controller.js";

describe("the taint eviction controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [taintEvictionController] });
    await cluster.client.core.v1.nodes().create({ metadata: { name: "n1" } });
    await cluster.client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } });
  });
  afterEach(() => cluster.stop());

  const pods = () => cluster.client.core.v1.pods("default");
  const create = (name: string, tolerations: Toleration[] = []) =>
    pods().create({
      metadata: { name, finalizers: ["example.com/keep"] },
      spec: { nodeName: "n1", containers: [{ name: "c", image: "i" }], tolerations, terminationGracePeriodSeconds: 1 },
    });
  const setTaints = (...keys: string[]) =>
    cluster.client.core.v1.nodes().patch("n1", {
      merge: { spec: { taints: keys.map((key) => ({ key, effect: "NoExecute" as const })) } },
    });
  const isDeleted = async (name: string) => (await pods().get(name)).metadata?.deletionTimestamp !== undefined;
  const messages = async () =>
    (await cluster.client.core.v1.events("default").list()).items.map(({ reason, message }) => `${reason}: ${message}`);
  const forSeconds = (tolerationSeconds: number): Toleration[] => [
    { key: "gone", operator: "Exists", effect: "NoExecute", tolerationSeconds },
  ];

  it("evicts pods that do not tolerate a new taint, with a condition and an event", async () => {
    await create("a");
    await create("b", [{ key: "gone", operator: "Exists" }]);
    await setTaints("gone");
    await cluster.settle();
    expect([await isDeleted("a"), await isDeleted("b")]).toEqual([true, false]);
    expect((await pods().get("a")).status?.conditions).toContainEqual(
      expect.objectContaining({ type: "DisruptionTarget", status: "True", reason: "DeletionByTaintManager" }),
    );
    expect(await messages()).toEqual(["TaintManagerEviction: Marking for deletion Pod default/a"]);
  });

  it("evicts a pod that comes to a tainted node, also after a restart", async () => {
    await setTaints("gone");
    await cluster.settle();
    const restarted = cluster.restart();
    await create("a");
    await restarted;
    await cluster.settle();
    expect(await isDeleted("a")).toBe(true);
  });

  it("waits as long as a toleration allows, and a taint that is removed cancels it", async () => {
    await create("a", forSeconds(60));
    await create("b", forSeconds(10));
    await setTaints("gone");
    await cluster.advance(9_000);
    expect([await isDeleted("a"), await isDeleted("b")]).toEqual([false, false]);
    await cluster.advance(2_000);
    expect([await isDeleted("a"), await isDeleted("b")]).toEqual([false, true]);
    await setTaints();
    await cluster.advance(120_000);
    expect(await isDeleted("a")).toBe(false);
    expect(await messages()).toContain("TaintManagerEviction: Cancelling deletion of Pod default/a");
  });
});
