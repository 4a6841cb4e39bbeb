import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { ephemeralVolumeController } from "./controller.js";

describe("the ephemeral volume controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [ephemeralVolumeController] });
    await cluster.client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } });
  });
  afterEach(() => cluster.stop());
  const claims = () => cluster.client.core.v1.persistentvolumeclaims("default");
  const spec = { accessModes: ["ReadWriteOnce" as const], resources: { requests: { storage: "1Gi" } } };
  const createPod = (name: string) =>
    cluster.client.core.v1.pods("default").create({
      metadata: { name },
      spec: {
        containers: [{ name: "c", image: "i" }],
        volumes: [{ name: "data", ephemeral: { volumeClaimTemplate: { metadata: { labels: { a: "b" } }, spec } } }],
      },
    });

  it("makes a claim by the template, which goes with the pod", async () => {
    const pod = await createPod("p");
    await cluster.settle();
    expect(await claims().get("p-data")).toMatchObject({
      metadata: {
        labels: { a: "b" },
        ownerReferences: [
          {
            apiVersion: "v1",
            kind: "Pod",
            name: "p",
            uid: pod.metadata?.uid,
            controller: true,
            blockOwnerDeletion: true,
          },
        ],
      },
      spec,
    });
  });

  it("makes it anew when it is deleted", async () => {
    await createPod("p");
    await cluster.settle();
    await claims().patch("p-data", { merge: { metadata: { finalizers: null } } });
    await claims().delete("p-data");
    await cluster.settle();
    expect((await claims().list()).items.map(({ metadata }) => metadata?.name)).toEqual(["p-data"]);
  });

  it("does not use a claim of that name that somebody else made", async () => {
    await claims().create({ metadata: { name: "p-data" }, spec });
    await createPod("p");
    await cluster.settle();
    const [event] = (await cluster.client.core.v1.events("default").list()).items;
    expect(event).toMatchObject({
      type: "Warning",
      reason: "FailedBinding",
      message: "ephemeral volume data: PVC default/p-data was not created for pod default/p (pod is not owner)",
      source: { component: "ephemeral_volume" },
    });
  });
});
