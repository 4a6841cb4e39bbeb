import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { claim, referenceTo, volume } from "../volumes/volumes.test.support.js";
import { persistentVolumeExpanderController } from "./controller.js";
import { expandedStatus, expandingStatus, nodePendingStatus, planExpansion } from "./plan.js";

const asks = (storage: string, status: PersistentVolumeClaim["status"] = {}) =>
  claim("c", {
    spec: { volumeName: "v", resources: { requests: { storage } } },
    status: { phase: "Bound", capacity: { storage: "1Gi" }, ...status },
  });
const has = (spec: PersistentVolume["spec"], annotations = {}) =>
  volume("v", { metadata: { annotations }, spec: { claimRef: referenceTo("c", "uid-c"), ...spec } });
const flex = { flexVolume: { driver: "example.com/flex" } };
const oldSize = { "volume.alpha.kubernetes.io/pre-resize-capacity": "1Gi" };

describe("a claim that asks for more", () => {
  const rows: { name: string; claim: PersistentVolumeClaim; volume: PersistentVolume; plan: object }[] = [
    { name: "than it has not: nothing", claim: asks("1Gi"), volume: has({}), plan: { kind: "nothing" } },
    {
      name: "of a volume that is another's is refused",
      claim: asks("2Gi"),
      volume: volume("v"),
      plan: { kind: "notBound" },
    },
    {
      name: "waits for a resizer outside",
      claim: asks("2Gi"),
      volume: has({ csi: { driver: "d", volumeHandle: "h" } }),
      plan: {
        kind: "external",
        event: {
          type: "Normal",
          reason: "ExternalExpanding",
          message: "waiting for an external controller to expand this PVC",
        },
      },
    },
    {
      name: "waits for the resizer of the driver that took an in-tree plugin's place",
      claim: asks("2Gi"),
      volume: has({ awsElasticBlockStore: { volumeID: "i" } }),
      plan: {
        kind: "external",
        resizer: "ebs.csi.aws.com",
        event: {
          type: "Normal",
          reason: "ExternalExpanding",
          message: "CSI migration enabled for kubernetes.io/aws-ebs; waiting for external resizer to expand the pvc",
        },
      },
    },
    {
      name: "of a FlexVolume gets it",
      claim: asks("2Gi"),
      volume: has(flex),
      plan: { kind: "expand", resizer: "example.com/flex", size: "2Gi", isFileSystem: true },
    },
    {
      name: "goes on to the size that was begun",
      claim: asks("3Gi", {
        allocatedResources: { storage: "2Gi" },
        allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
      }),
      volume: has(flex),
      plan: { kind: "expand", resizer: "example.com/flex", size: "2Gi", isFileSystem: true },
    },
    {
      name: "waits for the node",
      claim: asks("2Gi", { allocatedResourceStatuses: { storage: "NodeResizePending" } }),
      volume: has({ ...flex, capacity: { storage: "2Gi" } }, oldSize),
      plan: { kind: "nothing" },
    },
    {
      name: "is tried on the node again after that failed",
      claim: asks("2Gi", { allocatedResourceStatuses: { storage: "NodeResizeInfeasible" } }),
      volume: has({ ...flex, capacity: { storage: "2Gi" } }, oldSize),
      plan: { kind: "expandOnNode" },
    },
    {
      name: "and has it: the old size is forgotten",
      claim: asks("1Gi"),
      volume: has(flex, oldSize),
      plan: { kind: "forgetOldSize" },
    },
  ];
  for (const row of rows) it(row.name, () => expect(planExpansion(row.claim, row.volume)).toEqual(row.plan));
});

describe("the status of a claim that grows", () => {
  const now = "2026-01-01T00:00:00Z";
  const begun = expandingStatus(
    { capacity: { storage: "1Gi" }, conditions: [{ type: "NodeResizeError", status: "True" }] },
    "2Gi",
    now,
  );
  it("reports what was begun, and nothing of older tries", () =>
    expect(begun).toEqual({
      capacity: { storage: "1Gi" },
      allocatedResources: { storage: "2Gi" },
      allocatedResourceStatuses: { storage: "ControllerResizeInProgress" },
      conditions: [{ type: "Resizing", status: "True", lastTransitionTime: now }],
    }));
  it("reports that the node has to go on", () =>
    expect(nodePendingStatus(begun, now)).toMatchObject({
      allocatedResourceStatuses: { storage: "NodeResizePending" },
      conditions: [{ type: "Resizing" }, { type: "FileSystemResizePending" }],
    }));
  it("reports in the end only what there is", () =>
    expect(expandedStatus(begun, "2Gi")).toEqual({
      capacity: { storage: "2Gi" },
      allocatedResources: { storage: "2Gi" },
      conditions: [],
    }));
});

describe("the expander", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [persistentVolumeExpanderController] });
    await cluster.client.storage.v1
      .storageclasses()
      .create({ metadata: { name: "s" }, provisioner: "example.com", allowVolumeExpansion: true });
  });
  afterEach(() => cluster.stop());

  async function bound(source: PersistentVolume["spec"]): Promise<void> {
    const { client } = cluster;
    const created = await client.core.v1.persistentvolumeclaims("default").create({
      metadata: { name: "c" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        storageClassName: "s",
        volumeName: "v",
        resources: { requests: { storage: "1Gi" } },
      },
    });
    await client.core.v1.persistentvolumes().create({
      metadata: { name: "v" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        storageClassName: "s",
        claimRef: { namespace: "default", name: "c", uid: created.metadata?.uid ?? "" },
        ...source,
      },
    });
    await client.core.v1
      .persistentvolumeclaims("default")
      .updateStatus({ ...created, status: { phase: "Bound", capacity: { storage: "1Gi" } } });
    await client.core.v1
      .persistentvolumeclaims("default")
      .patch("c", { merge: { spec: { resources: { requests: { storage: "2Gi" } } } } });
    await cluster.settle();
  }

  it("reports who is waited for", async () => {
    await bound({ csi: { driver: "d.example.com", volumeHandle: "h" } });
    const [event] = (await cluster.client.core.v1.events("default").list()).items;
    expect(event).toMatchObject({ reason: "ExternalExpanding", source: { component: "volume_expand" } });
  });

  it("makes a FlexVolume larger and leaves its file system to the node", async () => {
    await bound({ flexVolume: { driver: "example.com/flex" } });
    const { client } = cluster;
    expect(await client.core.v1.persistentvolumes().get("v")).toMatchObject({
      metadata: { annotations: oldSize },
      spec: { capacity: { storage: "2Gi" } },
    });
    expect(await client.core.v1.persistentvolumeclaims("default").get("c")).toMatchObject({
      metadata: { annotations: { "volume.kubernetes.io/storage-resizer": "example.com/flex" } },
      status: { allocatedResourceStatuses: { storage: "NodeResizePending" }, capacity: { storage: "1Gi" } },
    });
  });
});
