import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { storageClass } from "../volumes/volumes.test.support.js";
import { persistentVolumeBinderController } from "./controller.js";

describe("the persistent volume binder", () => {
  let cluster: TestCluster;
  let directories: Set<string>;
  beforeEach(async () => {
    directories = new Set();
    cluster = await startTestCluster({
      controllers: [persistentVolumeBinderController],
      settings: {
        isHostPathProvisioningEnabled: true,
        hostPaths: {
          create: async (path) => void directories.add(path),
          remove: async (path) => void directories.delete(path),
        },
      },
    });
    await cluster.client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } });
  });
  afterEach(() => cluster.stop());

  const volumes = () => cluster.client.core.v1.persistentvolumes();
  const claims = () => cluster.client.core.v1.persistentvolumeclaims("default");
  const createVolume = (name: string, spec: PersistentVolume["spec"] = {}) =>
    volumes().create({
      metadata: { name },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        hostPath: { path: `/tmp/${name}` },
        ...spec,
      },
    });
  const createClaim = (name: string, spec: PersistentVolumeClaim["spec"] = { storageClassName: "" }) =>
    claims().create({
      metadata: { name },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } }, ...spec },
    });
  const phases = async (): Promise<Record<string, string | undefined>> =>
    Object.fromEntries(
      [...(await volumes().list()).items, ...(await claims().list()).items].map(({ metadata, status }) => [
        metadata?.name,
        status?.phase,
      ]),
    );
  const reasons = async () => (await cluster.client.core.v1.events("default").list()).items.map(({ reason }) => reason);
  const removeClaim = async (name: string) => {
    await claims().patch(name, { merge: { metadata: { finalizers: null } } });
    await claims().delete(name);
    await cluster.settle();
  };

  it("binds a claim to the smallest volume, and both sides refer to each other", async () => {
    await createVolume("large", { capacity: { storage: "5Gi" } });
    await createVolume("small");
    const created = await createClaim("c");
    await cluster.settle();
    expect(await phases()).toEqual({ large: "Available", small: "Bound", c: "Bound" });
    expect(await volumes().get("small")).toMatchObject({
      metadata: { annotations: { "pv.kubernetes.io/bound-by-controller": "yes" } },
      spec: {
        claimRef: { kind: "PersistentVolumeClaim", namespace: "default", name: "c", uid: created.metadata?.uid },
      },
    });
    expect(await claims().get("c")).toMatchObject({
      metadata: {
        annotations: { "pv.kubernetes.io/bind-completed": "yes", "pv.kubernetes.io/bound-by-controller": "yes" },
      },
      spec: { volumeName: "small" },
      status: { accessModes: ["ReadWriteOnce"], capacity: { storage: "1Gi" } },
    });
  });

  it("gives each of many claims a volume of its own, those that come first and those that wait", async () => {
    for (let index = 0; index < 5; index++) await createClaim(`c${index}`);
    await cluster.settle();
    expect(Object.values(await phases())).toEqual(Array(5).fill("Pending"));
    for (let index = 0; index < 5; index++) await createVolume(`v${index}`);
    await cluster.settle();
    const bound = (await claims().list()).items.map(({ spec }) => spec?.volumeName);
    expect(new Set(bound).size).toBe(5);
    expect(Object.values(await phases())).toEqual(Array(10).fill("Bound"));
  });

  it("binds what a person named on either side", async () => {
    await createVolume("v1", { claimRef: { namespace: "default", name: "c1" } });
    await createVolume("v2", { capacity: { storage: "9Gi" } });
    await createClaim("c1");
    await createClaim("c2", { storageClassName: "", volumeName: "v2" });
    await cluster.settle();
    expect((await claims().get("c1")).spec?.volumeName).toBe("v1");
    expect((await volumes().get("v2")).spec?.claimRef?.name).toBe("c2");
    expect(await phases()).toEqual({ v1: "Bound", v2: "Bound", c1: "Bound", c2: "Bound" });
  });

  it("keeps a released volume, and a claim that lost its volume stays lost until that is back", async () => {
    await createVolume("v", { persistentVolumeReclaimPolicy: "Retain" });
    await createClaim("c");
    await cluster.settle();
    const saved = await volumes().get("v");
    await volumes().patch("v", { merge: { metadata: { finalizers: null } } });
    await volumes().delete("v");
    await cluster.settle();
    expect(await phases()).toEqual({ c: "Lost" });
    expect(await reasons()).toContain("ClaimLost");
    await volumes().create({ metadata: { name: "v" }, ...(saved.spec && { spec: saved.spec }) });
    await cluster.settle();
    expect(await phases()).toEqual({ v: "Bound", c: "Bound" });
    await removeClaim("c");
    expect(await phases()).toEqual({ v: "Released" });
  });

  it("asks an external provisioner for a volume, once the first consumer has a node", async () => {
    const classes = cluster.client.storage.v1.storageclasses();
    await classes.create(storageClass("now"));
    await classes.create(storageClass("later", { volumeBindingMode: "WaitForFirstConsumer" }));
    await createClaim("a", { storageClassName: "now" });
    await createClaim("b", { storageClassName: "later" });
    await cluster.settle();
    const annotation = async (name: string) =>
      (await claims().get(name)).metadata?.annotations?.["volume.kubernetes.io/storage-provisioner"];
    expect([await annotation("a"), await annotation("b")]).toEqual(["example.com/disk", undefined]);
    expect((await reasons()).sort()).toEqual(["ExternalProvisioning", "WaitForFirstConsumer"]);
    await claims().patch("b", { merge: { metadata: { annotations: { "volume.kubernetes.io/selected-node": "n" } } } });
    await cluster.settle();
    expect(await annotation("b")).toBe("example.com/disk");
  });

  it("gives a claim without a class the default once there is one", async () => {
    await createClaim("c", {});
    await cluster.settle();
    expect((await claims().get("c")).spec?.storageClassName).toBeUndefined();
    await cluster.client.storage.v1.storageclasses().create(
      storageClass("gold", {
        metadata: { name: "gold", annotations: { "storageclass.kubernetes.io/is-default-class": "true" } },
      }),
    );
    await cluster.settle();
    expect((await claims().get("c")).spec?.storageClassName).toBe("gold");
  });

  it("makes directories for claims, and deletes them with the claim", async () => {
    await cluster.client.storage.v1
      .storageclasses()
      .create(storageClass("dirs", { provisioner: "kubernetes.io/host-path" }));
    await createClaim("c", { storageClassName: "dirs" });
    await cluster.settle();
    const [volume] = (await volumes().list()).items;
    expect(volume).toMatchObject({
      metadata: { annotations: { "pv.kubernetes.io/provisioned-by": "kubernetes.io/host-path" } },
      status: { phase: "Bound" },
    });
    expect([...directories]).toEqual([volume?.spec?.hostPath?.path]);
    expect(await reasons()).toEqual(["ProvisioningSucceeded"]);
    await volumes().patch(volume?.metadata?.name ?? "", {
      merge: { metadata: { finalizers: ["kubernetes.io/pv-controller"] } },
    });
    await removeClaim("c");
    expect([...directories, ...(await volumes().list()).items]).toEqual([]);
  });

  it("reports why it cannot delete a volume's storage", async () => {
    await createVolume("v", { persistentVolumeReclaimPolicy: "Delete", hostPath: { path: "/data" } });
    await createClaim("c");
    await cluster.settle();
    await removeClaim("c");
    expect(await phases()).toEqual({ v: "Failed" });
    const events = (await cluster.client.core.v1.events("default").list()).items;
    expect(events.find(({ reason }) => reason === "VolumeFailedDelete")).toMatchObject({
      type: "Warning",
      message: "host_path deleter only supports /tmp/.+ but received provided /data",
      source: { component: "persistentvolume-controller" },
    });
  });

  it("empties a volume with a pod and makes it available again", async () => {
    await createVolume("v", { persistentVolumeReclaimPolicy: "Recycle" });
    await createClaim("c");
    await cluster.settle();
    await removeClaim("c");
    const pods = cluster.client.core.v1.pods("default");
    const pod = await pods.get("recycler-for-v");
    expect(await phases()).toEqual({ v: "Released" });
    await pods.updateStatus({ ...pod, status: { phase: "Succeeded" } });
    await cluster.settle();
    expect(await phases()).toEqual({ v: "Available" });
    expect((await volumes().get("v")).spec?.claimRef).toBeUndefined();
    expect(await reasons()).toContain("VolumeRecycled");
  });

  it("deletes a pod of that name that it did not make, and tries again", async () => {
    await createVolume("v", { persistentVolumeReclaimPolicy: "Recycle" });
    await createClaim("c");
    const pods = cluster.client.core.v1.pods("default");
    await pods.create({
      metadata: { name: "recycler-for-v" },
      spec: { containers: [{ name: "c", image: "i" }] },
    });
    await cluster.settle();
    await removeClaim("c");
    expect(await phases()).toEqual({ v: "Failed" });
    expect((await pods.get("recycler-for-v")).spec?.containers[0]?.name).toBe("pv-recycler");
  });
});
