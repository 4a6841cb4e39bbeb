import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { persistentVolumeClaimProtectionController } from "../persistent-volume-claim-protection/controller.js";
import { persistentVolumeProtectionController } from "../persistent-volume-protection/controller.js";
import { volumeAttributesClassProtectionController } from "../volume-attributes-class-protection/controller.js";

describe("objects that are deleted while they are used", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({
      controllers: [
        persistentVolumeClaimProtectionController,
        persistentVolumeProtectionController,
        volumeAttributesClassProtectionController,
      ],
      gates: { PersistentVolumeClaimUnusedSinceTime: false },
    });
    await cluster.client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } });
  });
  afterEach(() => cluster.stop());
  const claims = () => cluster.client.core.v1.persistentvolumeclaims("default");
  const claimSpec = {
    accessModes: ["ReadWriteOnce" as const],
    resources: { requests: { storage: "1Gi" } },
    storageClassName: "",
  };
  const names = async (list: () => Promise<{ items: readonly { metadata?: { name?: string } }[] }>) =>
    (await list()).items.map(({ metadata }) => metadata?.name);
  const createPod = (name: string, claimName: string, nodeName?: string) =>
    cluster.client.core.v1.pods("default").create({
      metadata: { name },
      spec: {
        ...(nodeName && { nodeName }),
        containers: [{ name: "c", image: "i" }],
        volumes: [{ name: "data", persistentVolumeClaim: { claimName } }],
      },
    });

  it("a claim stays until the pod that uses it on a node is gone", async () => {
    for (const name of ["used", "waited-for", "free"]) await claims().create({ metadata: { name }, spec: claimSpec });
    await createPod("runs", "used", "n1");
    await createPod("waits", "waited-for");
    await cluster.settle();
    for (const name of ["used", "waited-for", "free"]) await claims().delete(name);
    await cluster.settle();
    expect(await names(() => claims().list())).toEqual(["used"]);
    await cluster.client.core.v1.pods("default").delete("runs", { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect(await names(() => claims().list())).toEqual([]);
  });

  it("a claim whose pod went while nobody looked goes after a restart", async () => {
    await claims().create({ metadata: { name: "used" }, spec: claimSpec });
    await createPod("runs", "used", "n1");
    await claims().delete("used");
    await cluster.settle();
    cluster.limitWrites(0);
    await cluster.client.core.v1.pods("default").delete("runs", { gracePeriodSeconds: 0 });
    await cluster.settle();
    expect(await names(() => claims().list())).toEqual(["used"]);
    await cluster.restart();
    await cluster.settle();
    expect(await names(() => claims().list())).toEqual([]);
  });

  it("a volume stays while it is bound", async () => {
    const volumes = cluster.client.core.v1.persistentvolumes();
    const created = await volumes.create({
      metadata: { name: "v" },
      spec: { capacity: { storage: "1Gi" }, accessModes: ["ReadWriteOnce"], hostPath: { path: "/tmp/v" } },
    });
    await volumes.updateStatus({ ...created, status: { phase: "Bound" } });
    await volumes.delete("v");
    await cluster.settle();
    expect(await names(() => volumes.list())).toEqual(["v"]);
    await volumes.updateStatus({ ...(await volumes.get("v")), status: { phase: "Released" } });
    await cluster.settle();
    expect(await names(() => volumes.list())).toEqual([]);
  });

  it("a volume attributes class stays while a claim names it", async () => {
    const classes = cluster.client.storage.v1.volumeattributesclasses();
    await classes.create({ metadata: { name: "gold" }, driverName: "example.com", parameters: { iops: "1" } });
    await claims().create({
      metadata: { name: "c" },
      spec: { ...claimSpec, storageClassName: "csi", volumeAttributesClassName: "gold" },
    });
    await cluster.settle();
    expect((await classes.get("gold")).metadata?.finalizers).toEqual(["kubernetes.io/vac-protection"]);
    await classes.delete("gold");
    await cluster.settle();
    expect(await names(() => classes.list())).toEqual(["gold"]);
    await claims().delete("c");
    await cluster.settle();
    expect(await names(() => classes.list())).toEqual([]);
  });
});
