import type { ResourceClaim } from "@coxswain/api/resource/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { resourceClaimController } from "./controller.js";

describe("the resource claim controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({
      controllers: [resourceClaimController],
      gates: { DRAWorkloadResourceClaims: false },
    });
    await cluster.client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } });
  });
  afterEach(() => cluster.stop());

  const claims = () => cluster.client.resource.v1.resourceclaims("default");
  const pods = () => cluster.client.core.v1.pods("default");
  const spec = { devices: { requests: [{ name: "r", exactly: { deviceClassName: "gpu" } }] } };
  const createTemplate = () =>
    cluster.client.resource.v1.resourceclaimtemplates("default").create({ metadata: { name: "t" }, spec: { spec } });
  const createPod = (name: string, nodeName?: string, entry: object = { resourceClaimTemplateName: "t" }) =>
    pods().create({
      metadata: { name },
      spec: {
        ...(nodeName && { nodeName }),
        containers: [{ name: "c", image: "i", resources: { claims: [{ name: "gpu" }] } }],
        resourceClaims: [{ name: "gpu", ...entry }],
      },
    });
  const allocation = { devices: { results: [{ request: "r", driver: "d.example.com", pool: "p", device: "g" }] } };
  /** As the scheduler does it. */
  const allocate = async (name: string, reservedFor: NonNullable<ResourceClaim["status"]>["reservedFor"] = []) => {
    const claim = await claims().get(name);
    const held = await claims().update({
      ...claim,
      metadata: { ...claim.metadata, finalizers: ["resource.kubernetes.io/delete-protection"] },
    });
    await claims().updateStatus({ ...held, status: { allocation, reservedFor } });
  };
  const names = async () => (await claims().list()).items.map(({ metadata }) => metadata?.name);

  it("makes one claim by a template, also when that comes later, and names it in the pod's status", async () => {
    await createPod("p");
    await cluster.settle();
    const events = (await cluster.client.core.v1.events("default").list()).items;
    expect(events[0]).toMatchObject({ reason: "FailedResourceClaimCreation", source: { component: "resource_claim" } });
    await createTemplate();
    await cluster.settle();
    const [name] = await names();
    expect(await names()).toHaveLength(1);
    expect(name).toMatch(/^p-gpu-.{5}$/);
    expect((await pods().get("p")).status?.resourceClaimStatuses).toEqual([{ name: "gpu", resourceClaimName: name }]);
    await cluster.restart();
    await cluster.settle();
    expect(await names()).toEqual([name]);
  });

  it("makes no second claim when it is killed before the status is written", async () => {
    await createTemplate();
    cluster.limitWrites(1);
    await createPod("p");
    await cluster.settle();
    expect(await names()).toHaveLength(1);
    await cluster.restart();
    await cluster.settle();
    expect(await names()).toHaveLength(1);
    expect((await pods().get("p")).status?.resourceClaimStatuses).toHaveLength(1);
  });

  it("gives devices back and deletes the claim when its pod has ended", async () => {
    await createTemplate();
    const pod = await createPod("p", "n1");
    await cluster.settle();
    const [name = ""] = await names();
    await allocate(name, [{ resource: "pods", name: "p", uid: pod.metadata?.uid ?? "" }]);
    await cluster.settle();
    expect((await claims().get(name)).status?.reservedFor).toHaveLength(1);
    await pods()
      .subresource("status")
      .patch("p", { merge: { status: { phase: "Succeeded" } } });
    await cluster.settle();
    expect(await names()).toEqual([]);
  });

  it("reserves devices for a pod that somebody else gave its node, and frees them after it", async () => {
    await claims().create({ metadata: { name: "shared" }, spec });
    await allocate("shared");
    const pod = await createPod("p", "n1", { resourceClaimName: "shared" });
    await cluster.settle();
    expect((await claims().get("shared")).status?.reservedFor).toEqual([
      { resource: "pods", name: "p", uid: pod.metadata?.uid },
    ]);
    await pods().delete("p", { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect(await claims().get("shared")).toMatchObject({ metadata: { name: "shared" } });
    const { metadata, status } = await claims().get("shared");
    expect([metadata?.finalizers, status?.allocation, status?.reservedFor]).toEqual([undefined, undefined, undefined]);
  });

  it("frees a claim of an extended resource when its pod has ended", async () => {
    const requests = { "example.com/gpu": "1" };
    const pod = await pods().create({
      metadata: { name: "p" },
      spec: {
        nodeName: "n1",
        containers: [{ name: "c", image: "i", resources: { requests, limits: requests } }],
      },
    });
    await claims().create({ metadata: { name: "extended" }, spec });
    await allocate("extended", [{ resource: "pods", name: "p", uid: pod.metadata?.uid ?? "" }]);
    await cluster.settle();
    await pods().updateStatus({
      ...(await pods().get("p")),
      status: {
        phase: "Failed",
        extendedResourceClaimStatus: {
          resourceClaimName: "extended",
          requestMappings: [{ containerName: "c", resourceName: "example.com/gpu", requestName: "r" }],
        },
      },
    });
    await cluster.settle();
    expect((await claims().get("extended")).status?.allocation).toBeUndefined();
  });
});
