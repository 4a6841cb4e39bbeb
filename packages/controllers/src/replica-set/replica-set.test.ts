import type { ReplicaSet } from "@coxswain/api/apps/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { markPods, podsIn } from "../pods/pods.test.support.js";
import { replicationControllerController } from "../replication-controller/controller.js";
import { replicaSetController } from "./controller.js";

const template = { metadata: { labels: { app: "web" } }, spec: { containers: [{ name: "c", image: "i" }] } };
const replicaSet = (replicas: number, minReadySeconds = 0): ReplicaSet => ({
  metadata: { name: "web" },
  spec: { replicas, minReadySeconds, selector: { matchLabels: { app: "web" } }, template },
});

describe("the ReplicaSet controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const start = async (): Promise<void> => {
    cluster = await startTestCluster({ controllers: [replicaSetController, replicationControllerController] });
  };
  const sets = () => cluster.client.apps.v1.replicasets("default");
  const status = async () => (await sets().get("web")).status;
  const scale = async (replicas: number): Promise<void> => {
    await sets().patch("web", { merge: { spec: { replicas } } });
    await cluster.settle();
  };

  it("creates pods, counts them as they become ready, and deletes what is too much", async () => {
    await start();
    await sets().create(replicaSet(3));
    await cluster.settle();
    const pods = await podsIn(cluster.client);
    expect(pods).toHaveLength(3);
    expect(pods[0]?.metadata?.generateName).toBe("web-");
    expect(pods[0]?.metadata?.ownerReferences).toMatchObject([
      { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", controller: true, blockOwnerDeletion: true },
    ]);
    expect(await status()).toMatchObject({ replicas: 3, fullyLabeledReplicas: 3, observedGeneration: 1 });
    await markPods(cluster);
    expect(await status()).toMatchObject({ readyReplicas: 3, availableReplicas: 3 });
    await scale(1);
    expect(await podsIn(cluster.client)).toHaveLength(1);
    expect(await status()).toMatchObject({ replicas: 1, readyReplicas: 1, terminatingReplicas: 0 });
    const events = (await cluster.client.core.v1.events("default").list()).items;
    expect(new Set(events.map(({ reason }) => reason))).toEqual(new Set(["SuccessfulCreate", "SuccessfulDelete"]));
  });

  it("counts pods as available once they were ready long enough", async () => {
    await start();
    await sets().create(replicaSet(2, 30));
    await cluster.settle();
    await markPods(cluster);
    expect(await status()).toMatchObject({ readyReplicas: 2 });
    expect((await status())?.availableReplicas ?? 0).toBe(0);
    await cluster.advance(30_000);
    expect(await status()).toMatchObject({ availableReplicas: 2 });
  });

  it("adopts a pod that matches and releases one that no longer does", async () => {
    await start();
    await cluster.client.core.v1
      .pods("default")
      .create({ metadata: { name: "orphan", labels: { app: "web" } }, spec: template.spec });
    await sets().create(replicaSet(1));
    await cluster.settle();
    const [orphan, ...others] = await podsIn(cluster.client);
    expect(others).toEqual([]);
    expect(orphan?.metadata?.ownerReferences?.[0]?.name).toBe("web");
    await cluster.client.core.v1.pods("default").patch("orphan", { merge: { metadata: { labels: { app: "debug" } } } });
    await cluster.settle();
    const pods = await podsIn(cluster.client);
    expect(pods).toHaveLength(2);
    expect(pods.find(({ metadata }) => metadata?.name === "orphan")?.metadata?.ownerReferences).toBeUndefined();
  });

  it("goes on after a restart without a pod too many", async () => {
    await start();
    await sets().create(replicaSet(20));
    await cluster.restart();
    await cluster.settle();
    expect(await podsIn(cluster.client)).toHaveLength(20);
    await cluster.restart();
    await cluster.settle();
    expect(await podsIn(cluster.client)).toHaveLength(20);
  });

  it("reports what keeps pods from being created, and goes on when that is over", async () => {
    await start();
    const quotas = cluster.client.core.v1.resourcequotas("default");
    await quotas.create({ metadata: { name: "q" }, spec: { hard: { pods: "0" } } });
    await quotas
      .subresource<object>("status")
      .patch("q", { merge: { status: { hard: { pods: "0" }, used: { pods: "0" } } } });
    await sets().create(replicaSet(2));
    await cluster.settle();
    expect((await status())?.conditions).toMatchObject([
      { type: "ReplicaFailure", status: "True", reason: "FailedCreate" },
    ]);
    await quotas.delete("q");
    await cluster.advance(60_000);
    expect(await podsIn(cluster.client)).toHaveLength(2);
    expect((await status())?.conditions).toBeUndefined();
  });

  it("does the same for a ReplicationController", async () => {
    await start();
    const controllers = cluster.client.core.v1.replicationcontrollers("default");
    await controllers.create({ metadata: { name: "old" }, spec: { replicas: 2, selector: { app: "web" }, template } });
    await cluster.settle();
    const pods = await podsIn(cluster.client);
    expect(pods.map(({ metadata }) => metadata?.ownerReferences?.[0]?.kind)).toEqual(
      Array(2).fill("ReplicationController"),
    );
    await markPods(cluster);
    expect((await controllers.get("old")).status).toMatchObject({
      replicas: 2,
      readyReplicas: 2,
      observedGeneration: 1,
    });
  });
});
