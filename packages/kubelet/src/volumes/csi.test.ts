import { mkdir, mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PersistentVolume, PersistentVolumeClaim, PodSpec } from "@coxswain/api/core/v1";
import type { CSIDriver, CSIDriverSpec } from "@coxswain/api/storage/v1";
import { systemRuntime } from "@coxswain/runtime";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { connectDriver } from "../csi/csi-driver.js";
import { CsiDrivers } from "../csi/csi-drivers.js";
import type { CsiHost } from "../csi/csi-host.js";
import { FakeCsi, type FakeCsiOptions } from "../csi/fake-csi.test.support.js";
import { appliesGroup } from "../csi/plan-volume.js";
import { attachmentName, isPublished, stagedVolumes, writeVolumeData } from "../csi/volume-data.js";
import { pod } from "../pod/pod.test.support.js";
import { VolumesError } from "../runtime/container-runtime.js";
import { createFakeMounter, type FakeNode, startVolumes } from "./volumes.test.support.js";

let rootDir: string;
let fake: FakeCsi;
let drivers: CsiDrivers;
let released: string[];
let isAttached: boolean;
let driverSpec: CSIDriverSpec | undefined;
let node: FakeNode;
const signal = new AbortController().signal;

beforeEach(async () => {
  rootDir = await mkdtemp(join(tmpdir(), "csi-"));
  isAttached = true;
  driverSpec = undefined;
  released = [];
  await start();
});
afterEach(async () => {
  await drivers.stop();
  await fake.stop();
  await rm(rootDir, { recursive: true, force: true });
});

/** A driver and a kubelet; called again, another kubelet on the same disk. */
async function start(options: Partial<FakeCsiOptions> = {}): Promise<void> {
  await drivers?.stop();
  await fake?.stop();
  const sockets = join(rootDir, "s");
  await mkdir(sockets, { recursive: true });
  fake = new FakeCsi({ directory: sockets, registry: sockets, name: "d.example", ...options });
  await fake.start();
  drivers = new CsiDrivers(() => {});
  await register();
  node = await startVolumes(
    rootDir,
    createFakeMounter(),
    { claims: { data: claim }, persistentVolumes: { pv } },
    host(),
  );
}

const register = (): Promise<void> =>
  drivers.add(connectDriver({ name: "d.example", endpoint: fake.endpoint, version: [1, 0, 0] }, systemRuntime()));

const host = (): CsiHost => ({
  nodeName: "node-1",
  drivers,
  driverObject: async () => driverSpec && ({ metadata: { name: "d.example" }, spec: driverSpec } as CSIDriver),
  attachment: async (name) => {
    expect(name).toBe(attachmentName("h1", "d.example", "node-1"));
    return { spec: {}, status: { attached: true, attachmentMetadata: { device: "/dev/x" } } } as never;
  },
  secret: async (namespace, name) => new Map([["key", `${namespace}/${name}`]]),
  alone: (_, work) => work(),
  isAttached: () => isAttached,
  released: ({ volumeHandle }) => void released.push(volumeHandle),
  follow: () => {},
  forget: () => {},
});

const claim: PersistentVolumeClaim = {
  metadata: { name: "data", namespace: "default", uid: "claim" },
  spec: { volumeName: "pv" },
  status: { phase: "Bound", capacity: { storage: "1Gi" } },
};
const pv: PersistentVolume = {
  metadata: { name: "pv" },
  spec: {
    accessModes: ["ReadWriteOnce"],
    capacity: { storage: "1Gi" },
    claimRef: { uid: "claim" },
    mountOptions: ["noatime"],
    csi: {
      driver: "d.example",
      volumeHandle: "h1",
      fsType: "ext4",
      volumeAttributes: { a: "b" },
      nodeStageSecretRef: { namespace: "ns", name: "stage" },
      nodePublishSecretRef: { namespace: "ns", name: "publish" },
    },
  },
};
const withClaim = (uid: string, spec: Partial<PodSpec> = {}) =>
  pod({ volumes: [{ name: "v", persistentVolumeClaim: { claimName: "data" } }], ...spec }, { uid });
const inline = pod(
  { volumes: [{ name: "v", csi: { driver: "d.example", volumeAttributes: { size: "1" } } }] },
  { uid: "u9" },
);
const problemOf = async (mounting: Promise<unknown>): Promise<string | undefined> => {
  const error = await mounting.then(
    () => undefined,
    (failure: unknown) => failure,
  );
  expect(error).toBeInstanceOf(VolumesError);
  return (error as VolumesError).problems.get("v");
};

describe("volumes of storage drivers", () => {
  it("are staged once for a node, published for each pod, and taken back in the other order", async () => {
    const mounted = await node.volumes.mount(withClaim("u1"), signal);
    const target = join(rootDir, "pods/u1/volumes/kubernetes.io~csi/pv/mount");
    expect(mounted.get("v")).toEqual({ kind: "host", path: target, readOnly: false });
    await node.volumes.mount(withClaim("u1"), signal);
    expect(fake.calls).toEqual(["stage h1", "publish h1"]);
    const [staged] = await stagedVolumes(rootDir);
    expect(fake.requests["stage"]).toMatchObject({
      publishContext: new Map([["device", "/dev/x"]]),
      stagingTargetPath: join(staged?.directory ?? "", "globalmount"),
      secrets: new Map([["key", "ns/stage"]]),
      volumeContext: new Map([["a", "b"]]),
      volumeCapability: { mount: { fsType: "ext4", mountFlags: ["noatime"] }, accessMode: { mode: 1 } },
    });
    expect(fake.requests["publish"]).toMatchObject({ targetPath: target, secrets: new Map([["key", "ns/publish"]]) });
    expect(JSON.parse(await readFile(join(target, "../vol_data.json"), "utf8"))).toEqual({
      specVolID: "pv",
      volumeHandle: "h1",
      driverName: "d.example",
      nodeName: "node-1",
      volumeLifecycleMode: "Persistent",
      attachmentID: attachmentName("h1", "d.example", "node-1"),
    });
    await node.volumes.mount(withClaim("u2"), signal);
    await node.volumes.discard("u1");
    expect([fake.calls.slice(2), released]).toEqual([["stage h1", "publish h1", "unpublish h1"], []]);
    await node.volumes.discard("u2");
    expect([fake.calls.slice(5), released]).toEqual([["unpublish h1", "unstage h1"], ["h1"]]);
    expect(await readdir(join(rootDir, "pods"))).toEqual([]);
    expect(await readdir(join(rootDir, "plugins/kubernetes.io/csi"))).toEqual([]);
  });

  const killed = [
    { name: "stages", call: "stage", begin: "mount" },
    { name: "publishes", call: "publish", begin: "mount" },
    { name: "takes back", call: "unpublish", begin: "discard" },
    { name: "takes back what it staged", call: "unstage", begin: "discard" },
  ] as const;
  for (const { name, call, begin } of killed)
    it(`a kubelet that is killed while the driver ${name} leaves nothing that the next one does not know of`, async () => {
      if (begin === "discard") await node.volumes.mount(withClaim("u1"), signal);
      fake.hang(call);
      // The process ends in the middle: nobody learns what became of it.
      void (begin === "mount" ? node.volumes.mount(withClaim("u1"), signal) : node.volumes.discard("u1")).catch(
        () => {},
      );
      while (!fake.calls.includes(`${call} h1`)) await new Promise((resolve) => setTimeout(resolve, 1));
      await start();
      await node.volumes.discard("u1");
      const problems: unknown[] = [];
      await node.volumes.sweep((error) => problems.push(error));
      expect(problems).toEqual([]);
      expect(fake.calls).toContain("unstage h1");
      expect(await stagedVolumes(rootDir)).toEqual([]);
      expect(await readdir(join(rootDir, "pods"))).toEqual([]);
    });

  it("have the figures that their driver reports, by the pod's name for them and the claim's", async () => {
    expect(await node.volumes.driverUsage("u1")).toEqual([]);
    await start({ capabilities: ["STAGE_UNSTAGE_VOLUME", "GET_VOLUME_STATS"] });
    await node.volumes.mount(withClaim("u1"), signal);
    expect(await node.volumes.driverUsage("u1")).toEqual([
      {
        name: "v",
        claim: "data",
        bytes: { available: 60, capacity: 100, used: 40 },
        inodes: { available: 6, capacity: 10, used: 4 },
      },
    ]);
    const [staged] = await stagedVolumes(rootDir);
    expect(fake.requests["stats"]).toMatchObject({
      volumePath: join(rootDir, "pods/u1/volumes/kubernetes.io~csi/pv/mount"),
      stagingTargetPath: join(staged?.directory ?? "", "globalmount"),
    });
    expect(await node.volumes.usage("u1")).toEqual([]);
  });

  it("have no figures where their driver reports none, or fails", async () => {
    await node.volumes.mount(withClaim("u1"), signal);
    expect(await node.volumes.driverUsage("u1")).toEqual([]);
    await start({ capabilities: ["STAGE_UNSTAGE_VOLUME", "GET_VOLUME_STATS"] });
    fake.fail("stats", "INTERNAL", "not now");
    await node.volumes.mount(withClaim("u1"), signal);
    expect(await node.volumes.driverUsage("u1")).toEqual([]);
  });

  it("a kubelet that starts again publishes what is in use again, and takes back what it did not publish", async () => {
    await node.volumes.mount(withClaim("u1"), signal);
    await start();
    fake.fail("publish", "INTERNAL", "not now");
    expect(await problemOf(node.volumes.mount(withClaim("u1"), signal))).toBe(
      'MountVolume.SetUp failed for volume "pv" : rpc error: code = Internal desc = not now',
    );
    expect(await isPublished(rootDir, { driverName: "d.example", volumeHandle: "h1" })).toBe(true);
    await node.volumes.discard("u1");
    expect(fake.calls.slice(-2)).toEqual(["unpublish h1", "unstage h1"]);
    expect(await readdir(join(rootDir, "pods"))).toEqual([]);
  });

  it("what a killed kubelet staged and did not publish is taken back; what a pod has is not", async () => {
    const left = { driverName: "d.example", volumeHandle: "left" };
    await node.volumes.mount(withClaim("u1"), signal);
    await writeVolumeData(join(rootDir, "plugins/kubernetes.io/csi/d.example/0f"), left);
    const [, other] = (await stagedVolumes(rootDir)).map(({ data }) => data.volumeHandle).toSorted();
    expect(other).toBe("left");
    const problems: unknown[] = [];
    await node.volumes.sweep((error) => problems.push(error));
    expect(problems).toEqual([]);
    expect(fake.calls.filter((call) => call.startsWith("unstage"))).toEqual([]);
    await rm(join(rootDir, "plugins/kubernetes.io/csi/d.example/0f"), { recursive: true });
    await node.volumes.mount(withClaim("u2"), signal);
    await rm(join(rootDir, "pods"), { recursive: true });
    await node.volumes.sweep((error) => problems.push(error));
    expect(fake.calls.at(-1)).toBe("unstage h1");
    expect(await stagedVolumes(rootDir)).toEqual([]);
  });

  it("a pod waits without an event until a controller attached its volume", async () => {
    isAttached = false;
    expect(await problemOf(node.volumes.mount(withClaim("u1"), signal))).toBeUndefined();
    expect(fake.calls).toEqual([]);
    driverSpec = { attachRequired: false, fsGroupPolicy: "File" };
    await node.volumes.mount(withClaim("u1"), signal);
    expect(fake.requests["stage"]).toMatchObject({ publishContext: new Map() });
  });

  it("a driver that is not there, and one that refuses, are named", async () => {
    await drivers.stop();
    expect(await problemOf(node.volumes.mount(withClaim("u1"), signal))).toBe(
      'MountVolume.MountDevice failed for volume "pv" : kubernetes.io/csi: attacher.MountDevice failed to create newCsiDriverClient: driver name d.example not found in the list of registered CSI drivers',
    );
    await register();
    fake.fail("stage", "NOT_FOUND", "no such volume");
    expect(await problemOf(node.volumes.mount(withClaim("u1"), signal))).toBe(
      'MountVolume.MountDevice failed for volume "pv" : rpc error: code = NotFound desc = no such volume',
    );
    // It failed for certain: nothing is to be undone.
    expect(await stagedVolumes(rootDir)).toEqual([]);
    fake.fail("stage", "DEADLINE_EXCEEDED", "slow");
    await problemOf(node.volumes.mount(withClaim("u1"), signal));
    expect(await stagedVolumes(rootDir)).toHaveLength(1);
  });

  it("a pod whose driver is gone is not deleted before the driver took its volume back", async () => {
    await node.volumes.mount(withClaim("u1"), signal);
    await drivers.stop();
    await expect(node.volumes.unmount("u1")).rejects.toThrow("Unmounter.TearDownAt failed to get CSI client");
    await register();
    fake.fail("unpublish", "INTERNAL", "busy");
    await expect(node.volumes.unmount("u1")).rejects.toThrow("code = Internal desc = busy");
    fake.faults.clear();
    await node.volumes.unmount("u1");
    expect(released).toEqual(["h1"]);
  });

  it("a volume in the pod's own spec is published alone, with a handle of its own", async () => {
    expect(await problemOf(node.volumes.mount(inline, signal))).toContain("(no CSIDriver object)");
    driverSpec = { volumeLifecycleModes: ["Ephemeral"], podInfoOnMount: true, fsGroupPolicy: "None" };
    await node.volumes.mount(inline, signal);
    expect(fake.calls).toHaveLength(1);
    expect(fake.calls[0]).toMatch(/^publish csi-[0-9a-f]{64}$/);
    const context = (fake.requests["publish"] as { volumeContext: Map<string, string> }).volumeContext;
    expect(Object.fromEntries(context)).toEqual({
      size: "1",
      "csi.storage.k8s.io/pod.name": "web",
      "csi.storage.k8s.io/pod.namespace": "default",
      "csi.storage.k8s.io/pod.uid": "u9",
      "csi.storage.k8s.io/serviceAccount.name": "",
      "csi.storage.k8s.io/ephemeral": "true",
    });
    await node.volumes.discard("u9");
    expect(fake.calls).toHaveLength(2);
    driverSpec = { volumeLifecycleModes: ["Persistent"] };
    expect(await problemOf(node.volumes.mount(inline, signal))).toContain(
      'not supported by driver d.example (only supports ["Persistent"])',
    );
  });

  it("a driver is given tokens of the service account, as attributes or as secrets", async () => {
    driverSpec = { tokenRequests: [{ audience: "vault" }], requiresRepublish: true, fsGroupPolicy: "File" };
    await node.volumes.mount(withClaim("u1"), signal);
    const tokens = '{"vault":{"token":"token for vault","expirationTimestamp":"1970-01-01T00:00:00Z"}}';
    const asked = () =>
      fake.requests["publish"] as { volumeContext: Map<string, string>; secrets: Map<string, string> };
    expect(asked().volumeContext.get("csi.storage.k8s.io/serviceAccount.tokens")).toBe(tokens);
    driverSpec = { ...driverSpec, serviceAccountTokenInSecrets: true };
    await node.volumes.mount(withClaim("u1"), signal);
    expect(fake.calls).toEqual(["stage h1", "publish h1", "publish h1"]);
    expect(asked().secrets.get("csi.storage.k8s.io/serviceAccount.tokens")).toBe(tokens);
  });

  it("a volume that is larger than its claim reports is expanded, and the claim reports it", async () => {
    await start({ capabilities: ["STAGE_UNSTAGE_VOLUME", "EXPAND_VOLUME"] });
    const larger = { ...pv, spec: { ...pv.spec, capacity: { storage: "2Gi" } } };
    node = await startVolumes(
      rootDir,
      createFakeMounter(),
      { claims: { data: claim }, persistentVolumes: { pv: larger } },
      host(),
    );
    await node.volumes.mount(withClaim("u1"), signal);
    expect(fake.calls).toEqual(["stage h1", "publish h1", "expand h1"]);
    expect(fake.requests["expand"]).toMatchObject({ capacityRange: { requiredBytes: 2 * 1024 ** 3 } });
    expect(node.events.at(-1)).toBe("expanded data to 2Gi");
    fake.fail("expand", "INTERNAL", "no");
    await node.volumes.mount(withClaim("u1"), signal);
    expect(node.events.at(-1)).toBe(
      'FailedMount: MountVolume.NodeExpandVolume failed for volume "pv" : Expander.NodeExpand failed to expand the volume : rpc error: code = Internal desc = no',
    );
  });

  it("a group is given to drivers that set it themselves", async () => {
    await start({ capabilities: ["VOLUME_MOUNT_GROUP"] });
    await node.volumes.mount(withClaim("u1", { securityContext: { fsGroup: 77 } }), signal);
    expect(fake.calls).toEqual(["publish h1"]);
    expect(fake.requests["publish"]).toMatchObject({ volumeCapability: { mount: { volumeMountGroup: "77" } } });
    await expect(stat(join(rootDir, "plugins"))).rejects.toThrow("ENOENT");
  });
});

describe("which volumes the kubelet gives to the pod's group", () => {
  const volume = { fsType: "ext4", isReadOnly: false, isInline: false, accessModes: ["ReadWriteOnce"] };
  const driver = (fsGroupPolicy: string) => ({ spec: { fsGroupPolicy } }) as CSIDriver;
  const cases = [
    { name: "None: none", policy: "None", given: {}, applies: false },
    { name: "File: all", policy: "File", given: { fsType: "", accessModes: ["ReadWriteMany"] }, applies: true },
    { name: "File: none that is read-only", policy: "File", given: { isReadOnly: true }, applies: false },
    { name: "by default: one writer and a known file system", policy: undefined, given: {}, applies: true },
    { name: "by default: not without a file system", policy: undefined, given: { fsType: "" }, applies: false },
    { name: "by default: not of many", policy: undefined, given: { accessModes: ["ReadWriteMany"] }, applies: false },
    {
      name: "by default: a pod's own",
      policy: undefined,
      given: { isInline: true, accessModes: undefined },
      applies: true,
    },
  ];
  for (const { name, policy, given, applies } of cases)
    it(name, () => expect(appliesGroup(policy ? driver(policy) : undefined, { ...volume, ...given })).toBe(applies));
});
