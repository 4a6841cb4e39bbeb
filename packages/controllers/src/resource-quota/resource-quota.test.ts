import type { Pod, ResourceQuota } from "@coxswain/api/core/v1";
import type { KubernetesObject } from "@coxswain/apimachinery/meta";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { resourceQuotaController } from "./controller.js";

describe("the resource quota controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [resourceQuotaController] });
    await cluster.settle();
  });
  afterEach(() => cluster.stop());
  const quotas = () => cluster.client.core.v1.resourcequotas("default");
  const pods = () => cluster.client.core.v1.pods("default");
  const create = async (hard: Record<string, string>, spec: ResourceQuota["spec"] = {}): Promise<void> => {
    await quotas().create({ metadata: { name: "q" }, spec: { hard, ...spec } });
    await cluster.settle();
  };
  const used = async () => (await quotas().get("q")).status?.used;
  const createPod = (name: string) =>
    pods().create({
      metadata: { name },
      spec: { containers: [{ name: "c", image: "i", resources: { requests: { cpu: "200m" } } }] },
    });

  it("counts what is there, what comes, and what goes or ends", async () => {
    await createPod("a");
    await create({ pods: "3", "requests.cpu": "1" });
    expect((await quotas().get("q")).status).toEqual({
      hard: { pods: "3", "requests.cpu": "1" },
      used: { pods: "1", "requests.cpu": "200m" },
    });
    await createPod("b");
    await createPod("c");
    await expect(createPod("d")).rejects.toThrow("exceeded quota");
    await pods().delete("a");
    await pods()
      .subresource<Pod>("status")
      .patch("b", { merge: { status: { phase: "Succeeded" } } });
    await cluster.settle();
    expect(await used()).toEqual({ pods: "1", "requests.cpu": "200m" });
  });

  it("counts objects of any resource", async () => {
    await create({ "count/deployments.apps": "2", configmaps: "9" });
    expect(await used()).toEqual({ "count/deployments.apps": "0", configmaps: "0" });
    await cluster.client.core.v1.configmaps("default").create({ metadata: { name: "c" } });
    expect(await used()).toEqual({ "count/deployments.apps": "0", configmaps: "1" });
    await cluster.client.core.v1.configmaps("default").delete("c");
    await cluster.settle();
    expect(await used()).toEqual({ "count/deployments.apps": "0", configmaps: "0" });
  });

  it("a quota counts itself and the others at once, and those that go no more", async () => {
    await create({ resourcequotas: "3" });
    expect(await used()).toEqual({ resourcequotas: "1" });
    await quotas().create({ metadata: { name: "other" }, spec: { hard: { "count/resourcequotas": "9" } } });
    await cluster.settle();
    expect(await used()).toEqual({ resourcequotas: "2" });
    expect((await quotas().get("other")).status?.used).toEqual({ "count/resourcequotas": "2" });
    await quotas().delete("other");
    await cluster.settle();
    expect(await used()).toEqual({ resourcequotas: "1" });
  });

  it("counts custom resources as they come", async () => {
    await create({ "count/unicorns.example.com": "2" });
    expect(await used()).toBeUndefined();
    await cluster.client.apiextensions.v1.customresourcedefinitions().create({
      metadata: { name: "unicorns.example.com" },
      spec: {
        group: "example.com",
        scope: "Namespaced",
        names: { plural: "unicorns", kind: "Unicorn" },
        versions: [{ name: "v1", served: true, storage: true, schema: { openAPIV3Schema: { type: "object" } } }],
      },
    });
    await cluster.advance(1000);
    expect(await used()).toEqual({ "count/unicorns.example.com": "0" });
    const unicorns = cluster.client.dynamic({ group: "example.com", version: "v1", resource: "unicorns" }, "default");
    const unicorn = (name: string) =>
      ({ apiVersion: "example.com/v1", kind: "Unicorn", metadata: { name } }) as KubernetesObject;
    await unicorns.create(unicorn("a"));
    await unicorns.create(unicorn("b"));
    await expect(unicorns.create(unicorn("c"))).rejects.toThrow("exceeded quota");
    await unicorns.delete("a");
    await cluster.settle();
    expect(await used()).toEqual({ "count/unicorns.example.com": "1" });
  });

  it("follows a changed limit", async () => {
    await create({ pods: "3" });
    await quotas().patch("q", { merge: { spec: { hard: { pods: "5", secrets: "2" } } } });
    await cluster.settle();
    expect((await quotas().get("q")).status).toEqual({
      hard: { pods: "5", secrets: "2" },
      used: { pods: "0", secrets: "0" },
    });
  });

  it("ceases to count a pod that should have gone, at the next period", async () => {
    await create({ pods: "3" });
    await pods().create({
      metadata: { name: "stuck" },
      spec: { nodeName: "n", terminationGracePeriodSeconds: 1, containers: [{ name: "c", image: "i" }] },
    });
    await pods().delete("stuck");
    await cluster.advance(10_000);
    expect(await used()).toEqual({ pods: "1" });
    await cluster.advance(300_000);
    expect(await used()).toEqual({ pods: "0" });
  });
});
