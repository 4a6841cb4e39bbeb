import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HostPathType, PersistentVolume, PersistentVolumeClaim, PodSpec, Volume } from "@coxswain/api/core/v1";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { CachedPod } from "../objects/cached-pod.js";
import { c, pod as makePod } from "../pod/pod.test.support.js";
import type { NodeVolumes } from "./node-volumes.js";
import {
  createFakeMounter,
  type FakeMounter,
  type FakeNode,
  type FakeObjects,
  startVolumes,
} from "./volumes.test.support.js";

const signal = new AbortController().signal;
let top = "";
let mounter: FakeMounter;
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), "volumes-"));
  mounter = createFakeMounter();
});
afterEach(() => rm(top, { recursive: true, force: true }));

const start = (objects?: FakeObjects): Promise<FakeNode> => startVolumes(join(top, "kubelet"), mounter, objects);
const podWith = (source: Omit<Volume, "name">, spec: Partial<PodSpec> = {}): CachedPod =>
  makePod({ ...spec, volumes: [{ name: "v", ...source }] });
const mount = async (volumes: NodeVolumes, pod: CachedPod): Promise<string> => {
  const source = (await volumes.mount(pod, signal)).get("v");
  return source?.kind === "host" ? source.path : "";
};
const mode = async (path: string): Promise<string> => ((await stat(path)).mode & 0o7777).toString(8);

describe("volumes that the kubelet writes", () => {
  const settings = { configMaps: { settings: { a: "1", b: "2" } }, secrets: { hidden: { key: "s" } } };

  it("a config map is files on the disk, read-only, under upstream's names", async () => {
    const { volumes } = await start(settings);
    const pod = podWith({ configMap: { name: "settings", defaultMode: 0o640 } });
    const path = await mount(volumes, pod);
    expect(path).toBe(join(top, "kubelet/pods/u1/volumes/kubernetes.io~configmap/v"));
    expect([await readFile(join(path, "a"), "utf8"), await mode(join(path, "b")), mounter.requests]).toEqual([
      "1",
      "640",
      [],
    ]);
    expect((await volumes.mount(pod, signal)).get("v")).toMatchObject({ readOnly: true });
  });

  it("secrets, downward API and projections are in memory, as large as the pod may use it", async () => {
    const { volumes } = await start(settings);
    await mount(volumes, podWith({ secret: { secretName: "hidden" } }));
    const limited = { containers: [c("a", { resources: { limits: { memory: "64Mi" } } })] };
    await mount(volumes, podWith({ projected: { sources: [{ secret: { name: "hidden" } }] } }, limited));
    expect(mounter.requests.map(({ fsType, options }) => [fsType, ...options])).toEqual([
      ["tmpfs", `size=${8 * 1024 ** 3}`],
      ["tmpfs", `size=${64 * 1024 ** 2}`],
    ]);
  });

  it("are written again when the object changes, and keep their files with an event when it goes", async () => {
    const objects: FakeObjects = structuredClone(settings);
    const { volumes, events } = await start(objects);
    const pod = podWith({ configMap: { name: "settings" } });
    const path = await mount(volumes, pod);
    objects.configMaps = { settings: { a: "changed" } };
    await mount(volumes, pod);
    expect(await readFile(join(path, "a"), "utf8")).toBe("changed");
    objects.configMaps = {};
    expect(await mount(volumes, pod)).toBe(path);
    expect(await readFile(join(path, "a"), "utf8")).toBe("changed");
    expect(events).toEqual(['FailedMount: MountVolume.SetUp failed for volume "v" : configmap "settings" not found']);
  });

  it("labels that change are files that change", async () => {
    const { volumes } = await start();
    const source = { downwardAPI: { items: [{ path: "labels", fieldRef: { fieldPath: "metadata.labels" } }] } };
    const path = await mount(volumes, { ...podWith(source), metadata: { uid: "u1", labels: { a: "1" } } });
    expect(await readFile(join(path, "labels"), "utf8")).toBe('a="1"');
    await mount(volumes, { ...podWith(source), metadata: { uid: "u1", labels: { a: "2" } } });
    expect(await readFile(join(path, "labels"), "utf8")).toBe('a="2"');
  });

  it("a projection joins its sources; its token is of one user where all containers have it", async () => {
    const { volumes } = await start(settings);
    const sources = [
      { serviceAccountToken: { path: "token", audience: "vault" } },
      { configMap: { name: "settings", items: [{ key: "a", path: "config/a", mode: 0o400 }] } },
      { secret: { name: "none", optional: true } },
      { downwardAPI: { items: [{ path: "cpu", resourceFieldRef: { containerName: "a", resource: "limits.cpu" } }] } },
      { clusterTrustBundle: { path: "ca.pem", name: "x" } },
    ];
    const own = process.getuid?.() ?? 0;
    const path = await mount(volumes, podWith({ projected: { sources } }, { securityContext: { runAsUser: own } }));
    expect((await readdir(path)).filter((name) => !name.startsWith("..")).sort()).toEqual([
      "ca.pem",
      "config",
      "cpu",
      "token",
    ]);
    expect([await readFile(join(path, "token"), "utf8"), await mode(join(path, "token"))]).toEqual([
      "token for vault",
      "600",
    ]);
    expect([await readFile(join(path, "cpu"), "utf8"), await mode(join(path, "config/a"))]).toEqual(["4", "400"]);
  });

  it("a group of the pod may read them", async () => {
    const { volumes } = await start(settings);
    const fsGroup = process.getgid?.() ?? 0;
    const path = await mount(
      volumes,
      podWith({ secret: { secretName: "hidden", defaultMode: 0o400 } }, { securityContext: { fsGroup } }),
    );
    expect([await mode(join(path, "key")), await mode(path)]).toEqual(["440", "2777"]);
  });

  it("have directories where other volumes are mounted inside them", async () => {
    const { volumes } = await start(settings);
    const volumeMounts = [
      { name: "v", mountPath: "/etc/app" },
      { name: "w", mountPath: "/etc/app/data" },
      { name: "x", mountPath: "/etc/app/data/deeper" },
    ];
    const path = await mount(
      volumes,
      podWith({ configMap: { name: "settings" } }, { containers: [c("a", { volumeMounts })] }),
    );
    expect((await readdir(path)).filter((name) => !name.startsWith(".."))).toEqual(
      expect.arrayContaining(["a", "b", "data"]),
    );
    expect(await readdir(join(path, "data"))).toEqual([]);
  });

  const refusals: { name: string; source: Omit<Volume, "name">; error: string }[] = [
    {
      name: "a config map that is not there",
      source: { configMap: { name: "none" } },
      error: 'configmap "none" not found',
    },
    {
      name: "a secret that is not there",
      source: { secret: { secretName: "none" } },
      error: 'secret "none" not found',
    },
    {
      name: "a key that is not there",
      source: { configMap: { name: "settings", items: [{ key: "c", path: "c" }] } },
      error: "configmap references non-existent config key: c",
    },
    {
      name: "two things of a projection that are not there",
      source: { projected: { sources: [{ secret: { name: "x" } }, { configMap: { name: "y" } }] } },
      error: '[secret "x" not found, configmap "y" not found]',
    },
    {
      name: "a path that leads out",
      source: { configMap: { name: "settings", items: [{ key: "a", path: "../../x" }] } },
      error: "invalid path: must not contain '..': ../../x",
    },
    {
      name: "a pod certificate",
      source: { projected: { sources: [{ podCertificate: { signerName: "s", keyType: "ED25519" } }] } },
      error: "podCertificate projections are not supported on this node",
    },
  ];
  for (const { name, source, error } of refusals)
    it(`${name} is an error in upstream's words`, async () => {
      const { volumes } = await start(settings);
      await expect(volumes.mount(podWith(source), signal)).rejects.toThrow(
        `MountVolume.SetUp failed for volume "v" : ${error}`,
      );
    });
});

describe("an emptyDir", () => {
  it("is a directory for everybody, whose files outlive the kubelet", async () => {
    const { volumes } = await start();
    const pod = podWith({ emptyDir: {} });
    const path = await mount(volumes, pod);
    await writeFile(join(path, "file"), "kept", { mode: 0o600 });
    const fsGroup = process.getgid?.() ?? 0;
    expect(await mount((await start()).volumes, podWith({ emptyDir: {} }, { securityContext: { fsGroup } }))).toBe(
      path,
    );
    expect([await mode(path), await mode(join(path, "file"))]).toEqual(["777", "600"]);
  });

  it("in memory has the least of its own limit, the pod's and the node's", async () => {
    const { volumes } = await start();
    const limited = { containers: [c("a", { resources: { limits: { memory: "64Mi" } } })] };
    await mount(volumes, podWith({ emptyDir: { medium: "Memory", sizeLimit: "1Mi" } }, limited));
    expect(mounter.requests).toMatchObject([{ fsType: "tmpfs", options: ["size=1048576"] }]);
  });

  it("of huge pages has the size of pages that the pod requests", async () => {
    const { volumes } = await start();
    const requests = { "hugepages-2Mi": "4Mi" };
    await mount(
      volumes,
      podWith({ emptyDir: { medium: "HugePages-2Mi" } }, { containers: [c("a", { resources: { requests } })] }),
    );
    expect(mounter.requests).toMatchObject([{ source: "nodev", fsType: "hugetlbfs", options: ["pagesize=2Mi"] }]);
    await expect(
      volumes.mount({ ...podWith({ emptyDir: { medium: "HugePages" } }), metadata: { uid: "u2" } }, signal),
    ).rejects.toThrow("medium HugePages: hugePages storage requested, but there is no resource request for huge pages");
  });
});

describe("a hostPath", () => {
  beforeEach(async () => {
    await mkdir(join(top, "directory"));
    await writeFile(join(top, "file"), "");
    await symlink("directory", join(top, "link"));
  });

  const rows = [
    { type: "", path: "anything", result: "ok" },
    { type: "Directory", path: "directory", result: "ok" },
    { type: "Directory", path: "link", result: "ok" },
    { type: "Directory", path: "file", result: "is not a directory" },
    { type: "Directory", path: "none", result: "is not a directory" },
    { type: "DirectoryOrCreate", path: "new/deep", result: "ok" },
    { type: "DirectoryOrCreate", path: "file", result: "is not a directory" },
    { type: "File", path: "file", result: "ok" },
    { type: "File", path: "directory", result: "is not a file" },
    { type: "FileOrCreate", path: "new-file", result: "ok" },
    { type: "Socket", path: "file", result: "is not a socket file" },
    { type: "CharDevice", path: "file", result: "is not a character device" },
    { type: "BlockDevice", path: "none", result: "is not a block device" },
  ];
  for (const { type, path, result } of rows)
    it(`of type ${type || "(none)"} at ${path}: ${result}`, async () => {
      const { volumes } = await start();
      const mounting = mount(volumes, podWith({ hostPath: { path: join(top, path), type: type as HostPathType } }));
      if (result === "ok") expect(await mounting).toBe(join(top, path));
      else await expect(mounting).rejects.toThrow(`hostPath type check failed: ${join(top, path)} ${result}`);
    });

  it("is made where its type asks for it", async () => {
    const { volumes } = await start();
    await mount(volumes, podWith({ hostPath: { path: join(top, "new/deep"), type: "DirectoryOrCreate" } }));
    expect((await stat(join(top, "new/deep"))).isDirectory()).toBe(true);
  });

  it("with a way up is refused, and so is a type that is none", async () => {
    const { volumes } = await start();
    await expect(mount(volumes, podWith({ hostPath: { path: "/var/../etc" } }))).rejects.toThrow(
      "must not contain '..'",
    );
    await expect(mount(volumes, podWith({ hostPath: { path: "/", type: "Odd" as HostPathType } }))).rejects.toThrow(
      "Odd is an invalid volume type",
    );
  });
});

describe("a claim", () => {
  const claim = (change: Partial<PersistentVolumeClaim> = {}): PersistentVolumeClaim => ({
    metadata: { name: "data", namespace: "default", uid: "c1" },
    spec: { volumeName: "pv" } as NonNullable<PersistentVolumeClaim["spec"]>,
    status: { phase: "Bound" },
    ...change,
  });
  const persistent = (spec: PersistentVolume["spec"], uid = "c1"): PersistentVolume => ({
    metadata: { name: "pv" },
    spec: { claimRef: { uid }, ...spec },
  });
  const source = { persistentVolumeClaim: { claimName: "data" } };

  it("of a local volume is bind-mounted under the volume's name", async () => {
    await mkdir(join(top, "disk"));
    const objects = {
      claims: { data: claim() },
      persistentVolumes: { pv: persistent({ local: { path: join(top, "disk") } }) },
    };
    const { volumes } = await start(objects);
    const path = await mount(volumes, podWith({ persistentVolumeClaim: { claimName: "data", readOnly: true } }));
    expect(path).toBe(join(top, "kubelet/pods/u1/volumes/kubernetes.io~local-volume/pv"));
    expect(mounter.requests).toEqual([{ source: join(top, "disk"), target: path, options: ["bind", "ro"] }]);
  });

  it("of a hostPath volume is the path", async () => {
    const objects = { claims: { data: claim() }, persistentVolumes: { pv: persistent({ hostPath: { path: top } }) } };
    expect(await mount((await start(objects)).volumes, podWith(source))).toBe(top);
  });

  const failures: { name: string; objects: FakeObjects; error: string }[] = [
    {
      name: "that is not there",
      objects: {},
      error: 'failed to fetch PVC from API server: persistentvolumeclaims "data" not found',
    },
    {
      name: "that is not bound",
      objects: { claims: { data: claim({ status: { phase: "Pending" } }) } },
      error: "PVC is not bound",
    },
    {
      name: "that is being deleted",
      objects: { claims: { data: claim({ metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } }) } },
      error: "PVC is being deleted",
    },
    {
      name: "whose volume is gone",
      objects: { claims: { data: claim() } },
      error: 'failed to fetch PV pv from API server: persistentvolumes "pv" not found',
    },
    {
      name: "whose volume is another's",
      objects: { claims: { data: claim() }, persistentVolumes: { pv: persistent({}, "c2") } },
      error: "found PV object pv but its pv.Spec.ClaimRef.UID c2 does not point to claim.UID c1",
    },
  ];
  for (const { name, objects, error } of failures)
    it(`${name} cannot be mounted`, async () => {
      const { volumes } = await start(objects);
      await expect(volumes.mount(podWith(source), signal)).rejects.toThrow(
        `Unable to attach or mount volumes: unmounted volumes=[v], unattached volumes=[], failed to process volumes=[v]: error processing PVC default/data: ${error}`,
      );
    });

  it("of a type that nobody here mounts is refused by its name", async () => {
    const objects = {
      claims: { data: claim() },
      persistentVolumes: { pv: persistent({ nfs: { server: "s", path: "/" } }) },
    };
    await expect(mount((await start(objects)).volumes, podWith(source))).rejects.toThrow(
      "nfs volumes are not supported on this node",
    );
  });

  it("of an ephemeral volume must be the pod's own", async () => {
    const volumeClaimTemplate = { spec: {} };
    const objects = { claims: { "web-v": claim({ metadata: { name: "web-v", namespace: "default", uid: "c1" } }) } };
    await expect(
      mount((await start(objects)).volumes, podWith({ ephemeral: { volumeClaimTemplate } })),
    ).rejects.toThrow("PVC default/web-v was not created for pod default/web (pod is not owner)");
  });
});

describe("volumes of other types", () => {
  const sources: Omit<Volume, "name">[] = [
    { nfs: { server: "s", path: "/" } },
    { flexVolume: { driver: "d" } },
    { gitRepo: { repository: "r" } },
  ];
  for (const source of sources)
    it(`${Object.keys(source)[0]} is refused by its name`, async () => {
      await expect(mount((await start()).volumes, podWith(source))).rejects.toThrow(
        `${Object.keys(source)[0]} volumes are not supported on this node`,
      );
    });

  it("a FlexVolume is refused with what to use instead", async () => {
    await expect(mount((await start()).volumes, podWith({ flexVolume: { driver: "d" } }))).rejects.toThrow(
      "flexVolume volumes are not supported on this node: use a CSI driver",
    );
  });

  it("an image is the runtime's to mount", async () => {
    const { volumes } = await start();
    expect((await volumes.mount(podWith({ image: { reference: "r/i:1" } }), signal)).get("v")).toEqual({
      kind: "image",
      ref: "r/i:1",
    });
  });
});

describe("what a pod leaves", () => {
  it("is gone after unmount, mounts first, and a second time is no error", async () => {
    const { volumes } = await start({ secrets: { hidden: { key: "s" } } });
    const pod = makePod({
      volumes: [
        { name: "s", secret: { secretName: "hidden" } },
        { name: "e", emptyDir: {} },
      ],
    });
    const mounted = await volumes.mount(pod, signal);
    const empty = mounted.get("e");
    await symlink("/etc", join(empty?.kind === "host" ? empty.path : "", "link"));
    expect(await volumes.podUids()).toEqual(["u1"]);
    expect((await volumes.usage("u1")).map(({ name, isInMemory }) => [name, isInMemory])).toEqual([
      ["e", false],
      ["s", true],
    ]);
    await volumes.unmount("u1");
    await volumes.unmount("u1");
    expect([await volumes.podUids(), mounter.unmounted.length]).toEqual([[], 1]);
    expect((await stat("/etc")).isDirectory()).toBe(true);
  });

  it("of another kubelet goes the same way", async () => {
    await mkdir(join(top, "kubelet/pods/old/volumes/kubernetes.io~empty-dir/x/deep"), { recursive: true });
    await mkdir(join(top, "kubelet/pods/old/volume-subpaths/x/c"), { recursive: true });
    await writeFile(join(top, "kubelet/pods/old/volume-subpaths/x/c/0"), "");
    const { volumes } = await start();
    await volumes.unmount("old");
    expect(await volumes.podUids()).toEqual([]);
  });

  it("besides volumes stays until the pod is deleted", async () => {
    const directory = join(top, "kubelet/pods/u1");
    await mkdir(join(directory, "containers/a"), { recursive: true });
    await writeFile(join(directory, "containers/a/message"), "exited");
    await writeFile(join(directory, "etc-hosts"), "");
    const { volumes } = await start();
    await volumes.unmount("u1");
    expect((await readdir(directory)).sort()).toEqual(["containers", "etc-hosts"]);
    await volumes.discard("u1");
    expect(await volumes.podUids()).toEqual([]);
  });

  it("that is somebody's data stays: a PersistentVolume that cannot be unmounted is not emptied", async () => {
    const data = join(top, "kubelet/pods/old/volumes/kubernetes.io~local-volume/pv");
    await mkdir(data, { recursive: true });
    await writeFile(join(data, "precious"), "");
    const { volumes } = await start();
    await expect(volumes.unmount("old")).rejects.toThrow("UnmountVolume.TearDown failed");
    expect(await readdir(data)).toEqual(["precious"]);
  });

  for (const uid of ["..", "a/b", ""])
    it(`a pod uid ${JSON.stringify(uid)} is no directory`, async () => {
      const { volumes } = await start();
      await expect(volumes.unmount(uid)).rejects.toThrow("cannot be the name of a directory");
    });
});
