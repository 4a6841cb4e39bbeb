import type { DeviceTaint, DeviceToleration } from "@coxswain/api/resource/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { deviceTaintEvictionController } from "./controller.js";

describe("the device taint eviction controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({
      controllers: [deviceTaintEvictionController],
      gates: { DRAWorkloadResourceClaims: false, DRADeviceTaintRules: false },
    });
    await cluster.client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } });
    await setTaints();
  });
  afterEach(() => cluster.stop());

  const pods = () => cluster.client.core.v1.pods("default");
  async function setTaints(...taints: DeviceTaint[]): Promise<void> {
    const slices = cluster.client.resource.v1.resourceslices();
    const there = await slices.get("s").catch(() => undefined);
    const spec = {
      driver: "d.example.com",
      nodeName: "n1",
      pool: { name: "p", generation: 1, resourceSliceCount: 1 },
      devices: [{ name: "gpu", ...(taints.length > 0 && { taints }) }],
    };
    if (there) await slices.update({ ...there, spec });
    else await slices.create({ metadata: { name: "s" }, spec });
    await cluster.settle();
  }
  async function createPod(name: string, tolerations: DeviceToleration[] = []): Promise<void> {
    const claims = cluster.client.resource.v1.resourceclaims("default");
    const pod = await pods().create({
      metadata: { name, finalizers: ["example.com/keep"] },
      spec: {
        nodeName: "n1",
        terminationGracePeriodSeconds: 1,
        containers: [{ name: "c", image: "i", resources: { claims: [{ name: "gpu" }] } }],
        resourceClaims: [{ name: "gpu", resourceClaimName: name }],
      },
    });
    const claim = await claims.create({
      metadata: { name },
      spec: { devices: { requests: [{ name: "r", exactly: { deviceClassName: "gpu" } }] } },
    });
    const result = { request: "r", driver: "d.example.com", pool: "p", device: "gpu", tolerations };
    await claims.updateStatus({
      ...claim,
      status: {
        allocation: { devices: { results: [result] } },
        reservedFor: [{ resource: "pods", name, uid: pod.metadata?.uid ?? "" }],
      },
    });
    await cluster.settle();
  }
  const isDeleted = async (name: string) => (await pods().get(name)).metadata?.deletionTimestamp !== undefined;
  const messages = async () =>
    (await cluster.client.core.v1.events("default").list()).items.map(({ reason, message }) => `${reason}: ${message}`);

  it("evicts the pods of a device that got a taint, with a condition and an event", async () => {
    await createPod("a");
    await createPod("b", [{ key: "broken", operator: "Exists", effect: "NoExecute" }]);
    await setTaints({ key: "broken", effect: "NoExecute" });
    expect([await isDeleted("a"), await isDeleted("b")]).toEqual([true, false]);
    expect((await pods().get("a")).status?.conditions).toContainEqual(
      expect.objectContaining({ type: "DisruptionTarget", status: "True", reason: "DeletionByDeviceTaintManager" }),
    );
    expect(await messages()).toEqual(["DeviceTaintManagerEviction: Marking for deletion"]);
  });

  it("waits as long as a claim tolerates, and a taint that is removed cancels it", async () => {
    await createPod("a", [{ key: "broken", operator: "Exists", effect: "NoExecute", tolerationSeconds: 60 }]);
    await createPod("b", [{ key: "broken", operator: "Exists", effect: "NoExecute", tolerationSeconds: 10 }]);
    await setTaints({ key: "broken", effect: "NoExecute" });
    await cluster.advance(11_000);
    expect([await isDeleted("a"), await isDeleted("b")]).toEqual([false, true]);
    await setTaints();
    await cluster.advance(120_000);
    expect(await isDeleted("a")).toBe(false);
    expect(await messages()).toContain("DeviceTaintManagerEviction: Cancelling deletion");
  });

  it("evicts after a restart", async () => {
    await createPod("a");
    cluster.limitWrites(0);
    await setTaints({ key: "broken", effect: "NoExecute" });
    expect(await isDeleted("a")).toBe(false);
    await cluster.restart();
    await cluster.settle();
    expect(await isDeleted("a")).toBe(true);
  });
});
