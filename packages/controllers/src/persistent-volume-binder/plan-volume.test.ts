import type { PersistentVolume, PersistentVolumeClaim } from "@coxswain/api/core/v1";
import { describe, expect, it } from "vitest";
import { claim, referenceTo, volume } from "../volumes/volumes.test.support.js";
import { migratedClaim, migratedVolume } from "./changes.js";
import { isReleased, planReclaim, planVolume } from "./plan-volume.js";
import { deleterOf } from "./plugins.js";
import { recycleResult } from "./recycle.js";
import { recyclerPod } from "./recycler-pod.js";

const ours = { claimRef: referenceTo("c", "uid-c") };
const madeBy = (plugin: string) => ({ annotations: { "pv.kubernetes.io/provisioned-by": plugin } });

describe("a volume", () => {
  const rows: { name: string; volume: PersistentVolume; claim?: PersistentVolumeClaim; plan: object }[] = [
    { name: "without a claim is available", volume: volume("v"), plan: { kind: "phase", phase: "Available" } },
    {
      name: "that a person wrote a claim into is available until that is bound",
      volume: volume("v", { spec: { claimRef: referenceTo("c") } }),
      claim: claim("c"),
      plan: { kind: "phase", phase: "Available" },
    },
    { name: "whose claim is gone is reclaimed", volume: volume("v", { spec: ours }), plan: { kind: "reclaim" } },
    {
      name: "whose claim names it is bound",
      volume: volume("v", { spec: ours }),
      claim: claim("c", { spec: { volumeName: "v" } }),
      plan: { kind: "phase", phase: "Bound" },
    },
    {
      name: "wakes a claim that does not name it yet",
      volume: volume("v", { spec: ours }),
      claim: claim("c"),
      plan: { kind: "wakeClaim" },
    },
    {
      name: "of another mode than its claim gets an event",
      volume: volume("v", { spec: ours }),
      claim: claim("c", { spec: { volumeMode: "Block" } }),
      plan: { kind: "mismatch" },
    },
    {
      name: "whose claim chose another one is free again",
      volume: volume("v", { spec: ours }),
      claim: claim("c", { spec: { volumeName: "w" } }),
      plan: { kind: "unbind" },
    },
    {
      name: "that was made for a claim which chose another one is reclaimed",
      volume: volume("v", {
        metadata: madeBy("example.com"),
        spec: { ...ours, persistentVolumeReclaimPolicy: "Delete" },
      }),
      claim: claim("c", { spec: { volumeName: "w" } }),
      plan: { kind: "reclaim" },
    },
  ];
  for (const row of rows) it(row.name, () => expect(planVolume(row.volume, row.claim)).toMatchObject(row.plan));
});

describe("a released volume", () => {
  const policy = (persistentVolumeReclaimPolicy: string, metadata = {}) =>
    planReclaim(
      volume("v", { metadata, spec: { persistentVolumeReclaimPolicy: persistentVolumeReclaimPolicy as "Retain" } }),
    );
  it("is kept by Retain", () => expect(policy("Retain")).toEqual({ kind: "keep" }));
  it("is emptied by Recycle", () => expect(policy("Recycle")).toEqual({ kind: "recycle" }));
  it("is deleted by Delete", () => expect(policy("Delete")).toEqual({ kind: "delete" }));
  it("fails by any other policy", () =>
    expect(policy("Burn")).toMatchObject({ kind: "fail", event: { reason: "VolumeUnknownReclaimPolicy" } }));
  it("is its driver's when it was migrated", () =>
    expect(policy("Delete", { annotations: { "pv.kubernetes.io/migrated-to": "ebs.csi.aws.com" } })).toEqual({
      kind: "keep",
    }));
  it("is not destroyed while its claim stands", () =>
    expect(isReleased(volume("v", { spec: ours }), claim("c", { spec: { volumeName: "v" } }))).toBe(false));
  it("may be destroyed when its claim has another volume", () =>
    expect(isReleased(volume("v", { spec: ours }), claim("c", { spec: { volumeName: "w" } }))).toBe(true));
});

describe("who deletes a volume's storage", () => {
  const rows: [name: string, volume: PersistentVolume, deleter: object][] = [
    ["its provisioner", volume("v", { metadata: madeBy("example.com") }), { kind: "external" }],
    ["a CSI driver", volume("v", { spec: { csi: { driver: "d", volumeHandle: "h" } } }), { kind: "external" }],
    ["the controller, of directories in /tmp", volume("v"), { kind: "hostPath", path: "/tmp/v" }],
    [
      "nobody, of other directories",
      volume("v", { spec: { hostPath: { path: "/data" } } }),
      { kind: "unknown", message: "host_path deleter only supports /tmp/.+ but received provided /data" },
    ],
    [
      "nobody, of NFS",
      volume("v", { spec: { hostPath: undefined as never, nfs: { server: "s", path: "/" } } }),
      {
        kind: "unknown",
        message: 'error getting deleter volume plugin for volume "v": no deletable volume plugin matched',
      },
    ],
    [
      "nobody, of plugins that are gone",
      volume("v", { metadata: madeBy("kubernetes.io/glusterfs") }),
      { kind: "unknown", message: "no volume plugin matched name: kubernetes.io/glusterfs" },
    ],
  ];
  for (const [name, each, deleter] of rows) it(name, () => expect(deleterOf(each)).toEqual(deleter));
});

describe("migration to CSI drivers and deletion finalizers", () => {
  const finalizersOf = (metadata: PersistentVolume["metadata"], policy: "Delete" | "Retain") =>
    migratedVolume(volume("v", { metadata: metadata ?? {}, spec: { persistentVolumeReclaimPolicy: policy } }))?.metadata
      ?.finalizers;
  it("a claim of a migrated provisioner names the driver", () =>
    expect(
      migratedClaim(
        claim("c", {
          metadata: { annotations: { "volume.beta.kubernetes.io/storage-provisioner": "kubernetes.io/gce-pd" } },
        }),
      )?.metadata?.annotations,
    ).toMatchObject({ "pv.kubernetes.io/migrated-to": "pd.csi.storage.gke.io" }));
  it("the name of a driver that is not the one goes", () =>
    expect(
      migratedClaim(
        claim("c", {
          metadata: {
            annotations: { "volume.kubernetes.io/storage-provisioner": "x.y/z", "pv.kubernetes.io/migrated-to": "old" },
          },
        }),
      )?.metadata?.annotations,
    ).toEqual({ "volume.kubernetes.io/storage-provisioner": "x.y/z" }));
  it("a volume of an in-tree plugin gets a finalizer, and not the external one", () =>
    expect(
      finalizersOf(
        { ...madeBy("kubernetes.io/host-path"), finalizers: ["external-provisioner.volume.kubernetes.io/finalizer"] },
        "Delete",
      ),
    ).toEqual(["kubernetes.io/pv-controller"]));
  it("loses it when it is to be kept", () =>
    expect(
      finalizersOf(
        { ...madeBy("kubernetes.io/host-path"), finalizers: ["kubernetes.io/pv-controller", "a"] },
        "Retain",
      ),
    ).toEqual(["a"]));
  it("loses it when it was migrated", () =>
    expect(
      finalizersOf({ ...madeBy("kubernetes.io/aws-ebs"), finalizers: ["kubernetes.io/pv-controller"] }, "Delete"),
    ).toEqual([]));
  it("a volume of an external provisioner stays as it is", () =>
    expect(migratedVolume(volume("v", { metadata: madeBy("example.com") }))).toBeUndefined());
});

describe("the pod that empties a volume", () => {
  it("may take longer for larger volumes", () => {
    const seconds = (storage: string) =>
      recyclerPod(volume("v", { spec: { capacity: { storage } } }))?.spec?.activeDeadlineSeconds;
    expect([seconds("1Gi"), seconds("10Gi")]).toEqual([60, 300]);
  });
  it("is named for the volume and mounts it", () =>
    expect(recyclerPod(volume("v"))).toMatchObject({
      metadata: { name: "recycler-for-v", namespace: "default" },
      spec: { volumes: [{ name: "vol", hostPath: { path: "/tmp/v" } }], restartPolicy: "Never" },
    }));
  it("exists for directories and NFS alone", () =>
    expect(
      recyclerPod(volume("v", { spec: { hostPath: undefined as never, csi: { driver: "d", volumeHandle: "h" } } })),
    ).toBeUndefined());
  const rows: [phase: string | undefined, kind: string][] = [
    ["Succeeded", "done"],
    ["Failed", "failed"],
    ["Running", "running"],
    [undefined, "failed"],
  ];
  for (const [phase, kind] of rows)
    it(`in phase ${phase ?? "(deleted)"}: ${kind}`, () =>
      expect(recycleResult(phase === undefined ? undefined : { status: { phase: phase as "Failed" } }).kind).toBe(
        kind,
      ));
});
