import type { Pod } from "@coxswain/api/core/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { podsIn, type TestPod, testPod } from "../pods/pods.test.support.js";
import { podGarbageCollectorController } from "./controller.js";
import { type CachedNode, planPod, planSurplus } from "./plan.js";

const outOfService = { key: "node.kubernetes.io/out-of-service", effect: "NoExecute" as const };
const node = (
  ready: "True" | "False" | "Unknown",
  ...taints: NonNullable<CachedNode["spec"]>["taints"] & object
): CachedNode => ({
  metadata: { name: "n" },
  spec: { taints },
  status: { conditions: [{ type: "Ready", status: ready }] },
});

describe("why a pod is collected", () => {
  const deleted: TestPod = { node: "n", deletedAt: 1 };
  const rows: { name: string; pod: TestPod; node?: CachedNode; reason: string | undefined }[] = [
    {
      name: "not at all while it is not being deleted",
      pod: { node: "n" },
      node: node("False", outOfService),
      reason: undefined,
    },
    { name: "its node is out of service", pod: deleted, node: node("False", outOfService), reason: "out-of-service" },
    {
      name: "its node is out of service and nobody knows more",
      pod: deleted,
      node: node("Unknown", outOfService),
      reason: "out-of-service",
    },
    { name: "not while its node is ready", pod: deleted, node: node("True", outOfService), reason: undefined },
    { name: "not while nobody has given its node up", pod: deleted, node: node("False"), reason: undefined },
    { name: "it was never bound", pod: { deletedAt: 1 }, reason: "unscheduled" },
    { name: "not when its node is not known yet", pod: deleted, reason: undefined },
  ];
  for (const row of rows) it(row.name, () => expect(planPod(testPod(row.pod), row.node)).toBe(row.reason));
});

describe("terminated pods beyond the threshold", () => {
  const ended = (name: string, createdAt: number): Pod => testPod({ name, phase: "Failed", createdAt });
  const evicted = (name: string, createdAt: number): Pod => {
    const pod = ended(name, createdAt);
    return { ...pod, status: { ...pod.status, reason: "Evicted" } };
  };
  const pods = [ended("c", 3000), ended("b", 1000), ended("a", 1000), evicted("e", 9000)];
  const rows: { name: string; threshold: number; surplus: string[] }[] = [
    { name: "none at the threshold", threshold: 4, surplus: [] },
    { name: "evicted ones first", threshold: 3, surplus: ["e"] },
    { name: "then the oldest, by name where they are as old", threshold: 1, surplus: ["e", "a", "b"] },
    { name: "none where there is no threshold", threshold: 0, surplus: [] },
  ];
  for (const { name, threshold, surplus } of rows)
    it(name, () => expect(planSurplus(pods, threshold).map(({ metadata }) => metadata?.name)).toEqual(surplus));
});

describe("the pod garbage collector", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const pods = () => cluster.client.core.v1.pods("default");
  const nodes = () => cluster.client.core.v1.nodes();
  const start = async (terminatedPodThreshold?: number): Promise<void> => {
    const settings = terminatedPodThreshold === undefined ? {} : { terminatedPodThreshold };
    cluster = await startTestCluster({ controllers: [podGarbageCollectorController], settings });
    await nodes().create({ metadata: { name: "n1" } });
  };
  const create = (name: string, spec: { nodeName?: string } = {}, finalizers: string[] = []) =>
    pods().create({ metadata: { name, finalizers }, spec: { containers: [{ name: "c", image: "i" }], ...spec } });
  const names = async () => (await podsIn(cluster.client)).map(({ metadata }) => metadata?.name);

  it("deletes the pods of a node that is gone, marked as disrupted, after a while", async () => {
    await start();
    await create("a", { nodeName: "n1" });
    await create("kept", { nodeName: "n1" }, ["example.com/keep"]);
    await nodes().delete("n1");
    await cluster.advance(39_000);
    expect(await names()).toEqual(["a", "kept"]);
    await cluster.advance(2_000);
    expect(await names()).toEqual(["kept"]);
    expect((await pods().get("kept")).status).toMatchObject({
      phase: "Failed",
      conditions: [
        {
          type: "DisruptionTarget",
          status: "True",
          reason: "DeletionByPodGC",
          message: "PodGC: node no longer exists",
        },
      ],
    });
  });

  it("leaves the pods of a node that comes back", async () => {
    await start();
    await create("a", { nodeName: "n1" });
    await nodes().delete("n1");
    await cluster.advance(30_000);
    await nodes().create({ metadata: { name: "n1" } });
    await cluster.advance(60_000);
    expect(await names()).toEqual(["a"]);
  });

  it("ends pods that are being deleted on a node out of service", async () => {
    await start();
    await create("a", { nodeName: "n1" });
    await pods().delete("a");
    await cluster.settle();
    expect(await names()).toEqual(["a"]);
    await nodes().patch("n1", { merge: { spec: { taints: [outOfService] } } });
    await cluster.settle();
    expect(await names()).toEqual([]);
  });

  it("marks a deleted pod that was never bound as failed", async () => {
    await start();
    await create("a", {}, ["example.com/keep"]);
    await pods().delete("a");
    await cluster.settle();
    expect((await pods().get("a")).status?.phase).toBe("Failed");
  });

  it("deletes the oldest terminated pods when there are too many", async () => {
    await start(2);
    for (const name of ["a", "b", "c"]) {
      await create(name);
      await pods()
        .subresource<Pod>("status")
        .patch(name, { merge: { status: { phase: "Succeeded" } } });
      await cluster.advance(1000);
    }
    await cluster.advance(20_000);
    expect(await names()).toEqual(["b", "c"]);
  });
});
