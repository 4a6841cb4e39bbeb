import type { StatefulSet } from "@coxswain/api/apps/v1";
import { afterEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { markPods, podsIn } from "../pods/pods.test.support.js";
import { statefulSetController } from "./controller.js";

type Spec = Partial<NonNullable<StatefulSet["spec"]>>;
const statefulSet = (spec: Spec): StatefulSet => ({
  metadata: { name: "db" },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: "db" } },
    serviceName: "db",
    template: { metadata: { labels: { app: "db" } }, spec: { containers: [{ name: "c", image: "one" }] } },
    ...spec,
  },
});
const volumeClaimTemplates = [
  {
    metadata: { name: "data" },
    spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
  },
] as NonNullable<Spec["volumeClaimTemplates"]>;

describe("the StatefulSet controller", () => {
  let cluster: TestCluster;
  afterEach(() => cluster.stop());
  const sets = () => cluster.client.apps.v1.statefulsets("default");
  const start = async (spec: Spec = {}): Promise<void> => {
    cluster = await startTestCluster({
      controllers: [statefulSetController],
      gates: { MaxUnavailableStatefulSet: false },
    });
    await sets().create(statefulSet(spec));
    await cluster.settle();
  };
  const finish = async (): Promise<void> => {
    for (let step = 0; step < 8; step++) {
      await cluster.advance(1000);
      await markPods(cluster);
    }
  };
  const names = async () => (await podsIn(cluster.client)).map(({ metadata }) => metadata?.name).sort();
  const images = async () => (await podsIn(cluster.client)).map(({ spec }) => spec?.containers[0]?.image);
  const patch = async (spec: object): Promise<void> => {
    await sets().patch("db", { merge: { spec } as never });
    await cluster.settle();
  };
  const toImage = (image: string) => ({ template: { spec: { containers: [{ name: "c", image }] } } });

  it("creates pods in order, each after the one before is ready, and removes them from the end", async () => {
    await start();
    expect(await names()).toEqual(["db-0"]);
    await markPods(cluster);
    expect(await names()).toEqual(["db-0", "db-1"]);
    await finish();
    expect(await names()).toEqual(["db-0", "db-1", "db-2"]);
    const { status } = await sets().get("db");
    expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, currentReplicas: 3, updatedReplicas: 3 });
    expect(status?.currentRevision).toBe(status?.updateRevision);
    await patch({ replicas: 1 });
    await finish();
    expect(await names()).toEqual(["db-0"]);
  });

  it("updates from the end, keeps a revision of each template, and goes back to an old one", async () => {
    await start();
    await finish();
    const before = (await sets().get("db")).status?.currentRevision;
    await patch(toImage("two"));
    await finish();
    expect(await images()).toEqual(["two", "two", "two"]);
    const revisions = async () => (await cluster.client.apps.v1.controllerrevisions("default").list()).items;
    expect((await revisions()).map(({ revision }) => revision).sort()).toEqual([1, 2]);
    await patch(toImage("one"));
    await finish();
    expect((await sets().get("db")).status?.currentRevision).toBe(before);
    expect((await revisions()).map(({ revision }) => revision).sort()).toEqual([2, 3]);
  });

  it("leaves pods below the partition as they are", async () => {
    await start({ updateStrategy: { type: "RollingUpdate", rollingUpdate: { partition: 2 } } });
    await finish();
    await patch(toImage("two"));
    await finish();
    expect((await images()).sort()).toEqual(["one", "one", "two"]);
    expect((await sets().get("db")).status).toMatchObject({ currentReplicas: 2, updatedReplicas: 1 });
  });

  it("makes all pods at once where order does not matter, from the number it begins with", async () => {
    await start({ podManagementPolicy: "Parallel", ordinals: { start: 4 } });
    expect(await names()).toEqual(["db-4", "db-5", "db-6"]);
  });

  it("gives each pod its claims, which go with pods that are scaled away by their retention policy", async () => {
    await start({
      podManagementPolicy: "Parallel",
      volumeClaimTemplates,
      persistentVolumeClaimRetentionPolicy: { whenScaled: "Delete", whenDeleted: "Retain" },
    });
    await finish();
    const claims = async () => (await cluster.client.core.v1.persistentvolumeclaims("default").list()).items;
    expect((await claims()).map(({ metadata }) => metadata?.name)).toEqual(["data-db-0", "data-db-1", "data-db-2"]);
    await patch({ replicas: 2 });
    await finish();
    expect(await names()).toEqual(["db-0", "db-1"]);
    const owners = (await claims()).map(({ metadata }) => metadata?.ownerReferences?.map(({ name }) => name));
    expect(owners).toEqual([undefined, undefined, ["db-2"]]);
  });

  it("a restart between any two steps makes no pod twice and ends in the same state", async () => {
    await start({ volumeClaimTemplates });
    for (let step = 0; step < 5; step++) {
      await cluster.restart();
      await cluster.settle();
      await markPods(cluster);
    }
    expect(await names()).toEqual(["db-0", "db-1", "db-2"]);
    expect((await cluster.client.core.v1.persistentvolumeclaims("default").list()).items).toHaveLength(3);
    expect((await cluster.client.apps.v1.controllerrevisions("default").list()).items).toHaveLength(1);
  });
});
