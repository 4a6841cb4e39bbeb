import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startTestCluster, type TestCluster } from "../controller/test-cluster.test.support.js";
import { attachDetachController } from "./controller.js";

const name = "kubernetes.io/csi/d.example.com^h1";

describe("the attach/detach controller", () => {
  let cluster: TestCluster;
  beforeEach(async () => {
    cluster = await startTestCluster({ controllers: [attachDetachController] });
    const { client } = cluster;
    await client.core.v1.serviceaccounts("default").create({ metadata: { name: "default" } });
    for (const node of ["n1", "n2"]) {
      const created = await client.core.v1.nodes().create({
        metadata: { name: node, annotations: { "volumes.kubernetes.io/controller-managed-attach-detach": "true" } },
      });
      await client.core.v1.nodes().updateStatus({
        ...created,
        status: { conditions: [{ type: "Ready", status: "True" }] },
      });
    }
    const claim = await client.core.v1.persistentvolumeclaims("default").create({
      metadata: { name: "c" },
      spec: {
        accessModes: ["ReadWriteOnce"],
        volumeName: "v",
        storageClassName: "",
        resources: { requests: { storage: "1Gi" } },
      },
    });
    await client.core.v1.persistentvolumes().create({
      metadata: { name: "v" },
      spec: {
        capacity: { storage: "1Gi" },
        accessModes: ["ReadWriteOnce"],
        claimRef: { namespace: "default", name: "c", uid: claim.metadata?.uid ?? "" },
        csi: { driver: "d.example.com", volumeHandle: "h1" },
      },
    });
    await client.core.v1.persistentvolumeclaims("default").updateStatus({ ...claim, status: { phase: "Bound" } });
  });
  afterEach(() => cluster.stop());

  const createPod = (pod: string, nodeName: string) =>
    cluster.client.core.v1.pods("default").create({
      metadata: { name: pod },
      spec: {
        nodeName,
        containers: [{ name: "c", image: "i" }],
        volumes: [{ name: "data", persistentVolumeClaim: { claimName: "c" } }],
      },
    });
  const deletePod = (pod: string) => cluster.client.core.v1.pods("default").delete(pod, { gracePeriodSeconds: 0 });
  const attachments = async () => (await cluster.client.storage.v1.volumeattachments().list()).items;
  /** As a driver's attacher does it. */
  const markAttached = async (): Promise<void> => {
    for (const each of await attachments())
      await cluster.client.storage.v1.volumeattachments().updateStatus({ ...each, status: { attached: true } });
    await cluster.settle();
  };
  const reported = async (node: string) =>
    ((await cluster.client.core.v1.nodes().get(node)).status?.volumesAttached ?? []).map((volume) => volume.name);
  const setInUse = (node: string, volumesInUse: string[]) =>
    cluster.client.core.v1
      .nodes()
      .subresource("status")
      .patch(node, { merge: { status: { volumesInUse } } });
  const events = async () =>
    (await cluster.client.core.v1.events("default").list()).items.map(({ reason, message }) => `${reason}: ${message}`);

  it("asks for an attachment, reports it on the node, and takes it back after the pod", async () => {
    await createPod("p", "n1");
    await cluster.settle();
    expect(await attachments()).toMatchObject([
      { spec: { attacher: "d.example.com", nodeName: "n1", source: { persistentVolumeName: "v" } } },
    ]);
    expect(await reported("n1")).toEqual([]);
    await markAttached();
    expect(await reported("n1")).toEqual([name]);
    expect(await events()).toEqual(['SuccessfulAttachVolume: AttachVolume.Attach succeeded for volume "v" ']);
    await setInUse("n1", [name]);
    await deletePod("p");
    await cluster.settle();
    expect([await reported("n1"), (await attachments()).length]).toEqual([[name], 1]);
    await setInUse("n1", []);
    await cluster.settle();
    expect([await reported("n1"), await attachments()]).toEqual([[], []]);
  });

  it("counts volumes that are used, to be attached, and attached", async () => {
    const counts = () =>
      cluster.metrics
        .text()
        .split("\n")
        .filter((line) => /^(storage_count|attachdetach_controller)_.*\{/.test(line));
    const inUse =
      'storage_count_attachable_volumes_in_use{node="n1",volume_plugin="kubernetes.io/csi:d.example.com"} 1';
    const total = (state: string) =>
      `attachdetach_controller_total_volumes{plugin_name="kubernetes.io/csi:d.example.com",state="${state}"} 1`;
    await createPod("p", "n1");
    await cluster.settle();
    expect(counts()).toEqual([total("desired_state_of_world"), inUse]);
    await markAttached();
    expect(counts()).toEqual([total("actual_state_of_world"), total("desired_state_of_world"), inUse]);
    await deletePod("p");
    await cluster.settle();
    expect(counts()).toEqual([]);
  });

  it("waits with a volume of one node at a time until that has given it back", async () => {
    await createPod("p", "n1");
    await cluster.settle();
    await markAttached();
    await createPod("q", "n2");
    await cluster.settle();
    expect((await attachments()).map(({ spec }) => spec.nodeName)).toEqual(["n1"]);
    expect(await events()).toContain(
      'FailedAttachVolume: Waiting for detach for volume "v" Volume is already used by pod(s) p',
    );
    await deletePod("p");
    await cluster.settle();
    expect((await attachments()).map(({ spec }) => spec.nodeName)).toEqual(["n2"]);
  });

  it("takes a volume from a node that is not ready after six minutes, also when the controller was restarted", async () => {
    await createPod("p", "n1");
    await cluster.settle();
    await markAttached();
    await setInUse("n1", [name]);
    await cluster.client.core.v1
      .nodes()
      .subresource("status")
      .patch("n1", { strategic: { status: { conditions: [{ type: "Ready", status: "Unknown" }] } } });
    await deletePod("p");
    await cluster.restart();
    await cluster.advance(5 * 60_000);
    expect(await attachments()).toHaveLength(1);
    await cluster.advance(61_000);
    expect([await reported("n1"), await attachments()]).toEqual([[], []]);
  });

  it("takes it at once where the node is out of service", async () => {
    await createPod("p", "n1");
    await cluster.settle();
    await markAttached();
    await setInUse("n1", [name]);
    await deletePod("p");
    await cluster.settle();
    expect(await attachments()).toHaveLength(1);
    await cluster.client.core.v1.nodes().patch("n1", {
      merge: { spec: { taints: [{ key: "node.kubernetes.io/out-of-service", effect: "NoExecute" }] } },
    });
    await cluster.settle();
    expect(await attachments()).toEqual([]);
  });

  it("reports a driver that fails or does not answer", async () => {
    await createPod("p", "n1");
    await cluster.settle();
    await cluster.advance(121_000);
    expect(await events()).toContain(
      'FailedAttachVolume: AttachVolume.Attach failed for volume "v" : timed out waiting for external-attacher of d.example.com CSI driver to attach volume h1',
    );
    const [attachment] = await attachments();
    if (!attachment) throw new Error("no attachment");
    await cluster.client.storage.v1
      .volumeattachments()
      .updateStatus({ ...attachment, status: { attached: false, attachError: { message: "no such disk" } } });
    await cluster.settle();
    expect(await events()).toContain('FailedAttachVolume: AttachVolume.Attach failed for volume "v" : no such disk');
  });

  it("leaves volumes of drivers that need no attaching, nodes that attach themselves, and others' attachments alone", async () => {
    await cluster.client.storage.v1
      .csidrivers()
      .create({ metadata: { name: "d.example.com" }, spec: { attachRequired: false } });
    await cluster.client.storage.v1.volumeattachments().create({
      metadata: { name: "mine" },
      spec: { attacher: "d.example.com", nodeName: "n1", source: { persistentVolumeName: "v" } },
    });
    await createPod("p", "n1");
    await cluster.settle();
    expect((await attachments()).map(({ metadata }) => metadata?.name)).toEqual(["mine"]);
  });
});
