import type { Node, PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { deleteVolumePrefix, localPathProvisioner } from "@coxswain/api/local-path";
import type { StorageClass } from "@coxswain/api/storage/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { persistentVolumeBinderController } from "../persistent-volume-binder/controller.js";
import { persistentVolumeProtectionController } from "../persistent-volume-protection/controller.js";
import { externalDeletionFinalizer, provisionedBy, selectedNode, storageProvisioner } from "../volumes/annotations.js";
import { claim, storageClass, volume } from "../volumes/volumes.test.support.js";
import { localPathProvisionerController } from "./controller.js";
import { provisionerBinding, provisionerRole, standardClass } from "./objects.js";
import { planProvision } from "./plan-provision.js";
import { planReclaim } from "./plan-reclaim.js";

const uid = "0c4bb1b0-6d57-4f4b-9c80-6f3c2f3a1c11";
const node = (name: string): Node => ({ metadata: { name, labels: { "kubernetes.io/hostname": `${name}.example` } } });
const ours = { [storageProvisioner]: localPathProvisioner, [selectedNode]: "a" };
const asks = (spec: PersistentVolumeClaim["spec"] = {}, annotations: Record<string, string> = ours) =>
  claim("c", { metadata: { uid, annotations }, spec: { storageClassName: "standard", ...spec } });

describe("a claim of the provisioner's class", () => {
  const rows: {
    name: string;
    claim: PersistentVolumeClaim;
    storageClass?: StorageClass;
    plan: string | RegExp;
  }[] = [
    { name: "whose pod has a node gets a volume there", claim: asks(), plan: "create" },
    { name: "of one pod, too", claim: asks({ accessModes: ["ReadWriteOncePod"] }), plan: "create" },
    {
      name: "waits for its first pod",
      claim: asks({}, { [storageProvisioner]: localPathProvisioner }),
      plan: "nothing",
    },
    { name: "of another provisioner is left alone", claim: asks({}, { [selectedNode]: "a" }), plan: "nothing" },
    { name: "that has a volume is left alone", claim: asks({ volumeName: "v" }), plan: "nothing" },
    {
      name: "whose node has gone is scheduled again",
      claim: asks({}, { ...ours, [selectedNode]: "gone" }),
      plan: "reschedule",
    },
    {
      name: "from a snapshot is refused",
      claim: asks({ dataSource: { apiGroup: "snapshot.storage.k8s.io", kind: "VolumeSnapshot", name: "s" } }),
      plan: /cannot be made from a VolumeSnapshot: snapshots and clones are not supported/,
    },
    { name: "with a selector is refused", claim: asks({ selector: {} }), plan: /selector is not supported/ },
    { name: "for a block device is refused", claim: asks({ volumeMode: "Block" }), plan: /block volumes/ },
    {
      name: "for several nodes is refused",
      claim: asks({ accessModes: ["ReadWriteOnce", "ReadWriteMany"] }),
      plan: /cannot be ReadWriteMany: .* supports ReadWriteOnce and ReadWriteOncePod/,
    },
    {
      name: "of a class that does not wait is refused",
      claim: asks(),
      storageClass: { ...standardClass, volumeBindingMode: "Immediate" },
      plan: /must have volumeBindingMode WaitForFirstConsumer/,
    },
    {
      name: "of a class with parameters is refused",
      claim: asks(),
      storageClass: { ...standardClass, parameters: { path: "/" } },
      plan: /has no parameter "path"/,
    },
    {
      name: "of a class that has become another provisioner's is left alone",
      claim: asks(),
      storageClass: storageClass("standard"),
      plan: "nothing",
    },
  ];
  for (const row of rows)
    it(row.name, () => {
      const plan = planProvision({
        claim: row.claim,
        storageClass: row.storageClass ?? standardClass,
        nodeByName: (name) => (name === "a" ? node(name) : undefined),
      });
      if (row.plan instanceof RegExp) expect(plan).toMatchObject({ message: expect.stringMatching(row.plan) });
      expect(plan.kind).toBe(row.plan instanceof RegExp ? "refuse" : row.plan);
    });
});

describe("a volume of the provisioner", () => {
  const has = (
    policy: "Delete" | "Retain",
    phase: "Bound" | "Released",
    metadata: PersistentVolume["metadata"] = {},
  ): PersistentVolume =>
    volume("v", {
      metadata: {
        annotations: { [provisionedBy]: localPathProvisioner, "local-path.coxswain.dev/node": "a" },
        finalizers: [externalDeletionFinalizer],
        ...metadata,
      },
      spec: { persistentVolumeReclaimPolicy: policy },
      status: { phase },
    });
  const rows: { name: string; volume: PersistentVolume; plan: object }[] = [
    { name: "that is bound stays", volume: has("Delete", "Bound"), plan: { kind: "nothing" } },
    { name: "that is released goes", volume: has("Delete", "Released"), plan: { kind: "delete", node: "a" } },
    {
      name: "that is to be retained has no finalizer",
      volume: has("Retain", "Released"),
      plan: { kind: "setFinalizers", finalizers: [] },
    },
    {
      name: "that is retained stays",
      volume: has("Retain", "Released", { finalizers: [] }),
      plan: { kind: "nothing" },
    },
    {
      name: "whose policy became Delete gets the finalizer first",
      volume: has("Delete", "Released", { finalizers: [] }),
      plan: { kind: "setFinalizers", finalizers: [externalDeletionFinalizer] },
    },
    {
      name: "of another provisioner is left alone",
      volume: has("Delete", "Released", { annotations: {} }),
      plan: { kind: "nothing" },
    },
  ];
  for (const row of rows) it(row.name, () => expect(planReclaim(row.volume)).toEqual(row.plan));
});

describe("the provisioner, by its role alone", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    const controllers = [
      persistentVolumeBinderController,
      persistentVolumeProtectionController,
      localPathProvisionerController,
    ];
    cluster = await startTestCluster({ controllers });
    const { client } = cluster;
    await client.rbac.v1.clusterroles().create(provisionerRole);
    await client.rbac.v1.clusterrolebindings().create(provisionerBinding);
    await client.storage.v1.storageclasses().create(standardClass);
    await client.core.v1.nodes().create({ metadata: { name: "a" } });
    await client.core.v1.persistentvolumeclaims("default").create({
      metadata: { name: "c", annotations: { [selectedNode]: "a" } },
      spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1Gi" } } },
    });
    await cluster.settle();
  });
  afterEach(() => cluster.stop());
  const theClaim = () => cluster.client.core.v1.persistentvolumeclaims("default").get("c");

  it("makes a volume for a claim of the default class, on the node that the scheduler chose", async () => {
    const { spec, status, metadata } = await theClaim();
    expect(status).toMatchObject({ phase: "Bound", capacity: { storage: "1Gi" } });
    const made = await cluster.client.core.v1.persistentvolumes().get(spec?.volumeName ?? "");
    expect(made.spec).toMatchObject({
      local: { path: `/var/lib/coxswain/local-path/pvc-${metadata?.uid}` },
      persistentVolumeReclaimPolicy: "Delete",
    });
  });

  it("makes the volume of a claim larger that asks for more", async () => {
    const claims = cluster.client.core.v1.persistentvolumeclaims("default");
    await claims.patch("c", { merge: { spec: { resources: { requests: { storage: "3Gi" } } } } });
    await cluster.settle();
    const { status, spec } = await theClaim();
    expect(status?.capacity).toEqual({ storage: "3Gi" });
    const { spec: grown } = await cluster.client.core.v1.persistentvolumes().get(spec?.volumeName ?? "");
    expect(grown?.capacity).toEqual({ storage: "3Gi" });
  });

  it("asks the node to remove the files of a claim that has gone, and deletes the volume", async () => {
    const { core } = cluster.client;
    const { spec } = await theClaim();
    await core.v1.persistentvolumeclaims("default").patch("c", { merge: { metadata: { finalizers: null } } });
    await core.v1.persistentvolumeclaims("default").delete("c");
    await cluster.settle();
    const { metadata } = await core.v1.nodes().get("a");
    expect(metadata?.annotations).toHaveProperty([`${deleteVolumePrefix}${spec?.volumeName}`]);
    expect((await core.v1.persistentvolumes().list()).items).toEqual([]);
  });
});
