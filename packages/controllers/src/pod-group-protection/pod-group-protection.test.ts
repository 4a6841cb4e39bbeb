import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { podGroupProtectionController } from "./controller.js";

describe("the protection of pod groups", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({
      controllers: [podGroupProtectionController],
      api: {
        featureGates: new Map([["GenericWorkload", "true"]]),
        runtimeConfig: new Map([["scheduling.k8s.io/v1alpha2", "true"]]),
      },
    });
    await cluster.client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } });
  });
  afterEach(() => cluster.stop());

  it("a group stays until its pods have ended", async () => {
    const groups = cluster.client.scheduling.v1alpha2.podgroups("default");
    const pods = cluster.client.core.v1.pods("default");
    const finalizers = ["scheduling.k8s.io/podgroup-protection"];
    await groups.create({ metadata: { name: "g", finalizers }, spec: { schedulingPolicy: { basic: {} } } });
    const pod = await pods.create({
      metadata: { name: "p" },
      spec: { containers: [{ name: "c", image: "i" }], schedulingGroup: { podGroupName: "g" } },
    });
    await cluster.settle();
    await groups.delete("g");
    await cluster.settle();
    expect((await groups.list()).items).toHaveLength(1);
    await pods.updateStatus({ ...pod, status: { phase: "Succeeded" } });
    await cluster.settle();
    expect((await groups.list()).items).toEqual([]);
  });
});
