import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { systemRuntime } from "@coxswain/runtime";
import { describeWith } from "@coxswain/tools/needs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { c, pod } from "../pod/pod.test.support.js";
import { type CgroupFiles, cgroupFiles } from "./cgroup-files.js";
import type { CgroupLayout } from "./cgroup-layout.js";
import { createCgroupTree } from "./cgroup-tree.js";
import { defaultPodLimits, type GroupResources } from "./group-resources.js";
import { createPodCgroups, type PodCgroups } from "./pod-cgroups.js";
import { readCgroupLayout } from "./read-layout.js";

const resources = (cpu: string, memory: string) => ({ requests: { cpu }, limits: { cpu, memory } });
const burstable = (uid: string, cpu = "500m", memory = "64Mi") =>
  pod({ containers: [c("a", { resources: resources(cpu, memory) })] }, { uid });
const bestEffort = pod({}, { uid: "u2" });
const allocatable: GroupResources = { cpuShares: 2048, memoryBytes: 2 ** 30, pids: 1000 };

const create = (layout: CgroupLayout, files: CgroupFiles, cgroupRoot = "/"): PodCgroups => {
  const runtime = systemRuntime();
  const tree = createCgroupTree({ layout, files, runtime, hugePageSizes: [] });
  const options = { tree, runtime, cgroupRoot, limits: defaultPodLimits, hugePageSizes: [] };
  return createPodCgroups({ ...options, allocatable: () => allocatable });
};

describe("pods' groups in a directory of ordinary files", () => {
  let root = "";
  let killed: number[] = [];
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "cgroups-"));
    killed = [];
  });
  afterEach(() => rm(root, { recursive: true }));

  /** Does what the kernel does: a new group has its files, and they go with it. */
  const fake = (names: readonly string[]): CgroupFiles => ({
    ...cgroupFiles,
    async makeDirectory(path) {
      if (await stat(path).catch(() => undefined)) return;
      await mkdir(path);
      for (const name of names) await writeFile(join(path, name), "");
    },
    async removeDirectory(path) {
      for (const entry of await readdir(path, { withFileTypes: true }).catch(() => []))
        if (!entry.isDirectory()) await unlink(join(path, entry.name));
      await cgroupFiles.removeDirectory(path);
    },
    async write(path, value) {
      await stat(path); // only the kernel makes files
      await writeFile(path, value);
    },
    kill: (pid) => void killed.push(pid),
  });
  const v1Files = [
    "cgroup.procs",
    "cpu.shares",
    "cpu.cfs_period_us",
    "cpu.cfs_quota_us",
    "memory.limit_in_bytes",
    "pids.max",
    "cpuset.cpus",
    "cpuset.mems",
  ];
  const v2Files = ["cgroup.procs", "cgroup.subtree_control", "cpu.weight", "cpu.max", "memory.max", "pids.max"];

  async function startV1(): Promise<PodCgroups> {
    const controllers = new Map(["cpu", "cpuset", "memory", "pids"].map((name) => [name, join(root, name)]));
    for (const directory of controllers.values()) await mkdir(directory);
    await writeFile(join(root, "cpuset/cpuset.cpus"), "0-1\n");
    await writeFile(join(root, "cpuset/cpuset.mems"), "0\n");
    const unified = join(root, "unified");
    await mkdir(unified);
    const groups = create({ version: 1, controllers, unified }, fake(v1Files));
    await groups.start();
    return groups;
  }
  async function startV2(): Promise<PodCgroups> {
    await writeFile(join(root, "cgroup.subtree_control"), "");
    const controllers = new Map(["cpu", "cpuset", "memory", "pids"].map((name) => [name, root]));
    const groups = create({ version: 2, controllers }, fake(v2Files));
    await groups.start();
    return groups;
  }
  const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");

  it("v1: kubepods has what the node has for pods, classes and pods are below it", async () => {
    const groups = await startV1();
    expect(await read("memory/kubepods/memory.limit_in_bytes")).toBe(String(2 ** 30));
    expect(await read("cpu/kubepods/besteffort/cpu.shares")).toBe("2");
    expect(await groups.ensure(burstable("u1"))).toBe("/kubepods/burstable/podu1");
    expect(await groups.ensure(bestEffort)).toBe("/kubepods/besteffort/podu2");
    expect(await read("memory/kubepods/burstable/podu1/memory.limit_in_bytes")).toBe(String(64 * 1024 ** 2));
    expect(await read("cpuset/kubepods/burstable/podu1/cpuset.cpus")).toBe("0-1");
    expect(await groups.podUids()).toEqual(["u1", "u2"]);
  });

  it("v2: controllers are passed on from group to group", async () => {
    const groups = await startV2();
    await groups.ensure(burstable("u1"));
    expect(await read("kubepods/burstable/cgroup.subtree_control")).toContain("+pids");
    expect(await read("kubepods/burstable/podu1/cpu.max")).toBe("50000 100000");
    expect(await read("kubepods/burstable/podu1/memory.max")).toBe(String(64 * 1024 ** 2));
  });

  it("the class Burstable weighs what its pods request together", async () => {
    const groups = await startV1();
    await groups.ensure(burstable("u1", "500m"));
    await groups.ensure(burstable("u3", "1500m"));
    expect(await read("cpu/kubepods/burstable/cpu.shares")).toBe("2048");
    await groups.remove("u3");
    expect(await read("cpu/kubepods/burstable/cpu.shares")).toBe("512");
  });

  it("a group that is there keeps its values", async () => {
    const groups = await startV1();
    await groups.ensure(burstable("u1"));
    await groups.ensure(burstable("u1", "500m", "1Gi"));
    expect(await read("memory/kubepods/burstable/podu1/memory.limit_in_bytes")).toBe(String(64 * 1024 ** 2));
  });

  it("a resize writes what grows before, and what shrinks after", async () => {
    const groups = await startV1();
    await groups.ensure(burstable("u1"));
    const changed = burstable("u1", "250m", "128Mi");
    const values = async (): Promise<string[]> => [
      await read("memory/kubepods/burstable/podu1/memory.limit_in_bytes"),
      await read("cpu/kubepods/burstable/podu1/cpu.cfs_quota_us"),
    ];
    await groups.resize(changed, "grow");
    expect(await values()).toEqual([String(128 * 1024 ** 2), "50000"]);
    await groups.resize(changed, "shrink");
    expect(await values()).toEqual([String(128 * 1024 ** 2), "25000"]);
  });

  it("removal kills what is left, below it too, and never process 0 or 1", async () => {
    const groups = await startV1();
    await groups.ensure(bestEffort);
    await mkdir(join(root, "memory/kubepods/besteffort/podu2/container"));
    await writeFile(
      join(root, "memory/kubepods/besteffort/podu2/container/cgroup.procs"),
      `123456789\n0\n1\n${process.pid}\n`,
    );
    await groups.remove("u2");
    await groups.remove("u2");
    expect([killed, await groups.podUids()]).toEqual([[123456789], []]);
  });

  it("on a machine with both versions what runc made in the tree of v2 is found and removed", async () => {
    const groups = await startV1();
    const ofRunc = join(root, "unified/kubepods/burstable/podu1");
    await mkdir(ofRunc, { recursive: true });
    expect(await groups.podUids()).toEqual(["u1"]);
    await groups.remove("u1");
    expect([await groups.podUids(), await stat(ofRunc).catch(() => "gone")]).toEqual([[], "gone"]);
  });

  for (const uid of ["", "../..", "a/b"])
    it(`${JSON.stringify(uid)} is no pod`, async () => {
      await expect((await startV1()).remove(uid)).rejects.toThrow("is no pod's uid");
    });
});

/** Cgroup v1 of this machine, if groups can be made there. */
async function realV1(): Promise<CgroupLayout | undefined> {
  try {
    const layout = await readCgroupLayout();
    const probe = join(layout.controllers.get("memory") ?? "/none", `coxswain-probe-${process.pid}`);
    await mkdir(probe);
    await cgroupFiles.removeDirectory(probe);
    return layout.version === 1 ? layout : undefined;
  } catch {
    return undefined;
  }
}

describeWith(
  "pods' groups of the kernel",
  { found: await realV1(), missing: "root and cgroup v1", requiredAs: "nodes" },
  (layout) => {
    const cgroupRoot = `/coxswain-test-${process.pid}`;
    const tree = createCgroupTree({ layout, files: cgroupFiles, runtime: systemRuntime(), hugePageSizes: [] });
    afterEach(() => tree.remove(cgroupRoot));

    it("take processes, limit them, and go with them", async () => {
      const groups = create(layout, cgroupFiles, cgroupRoot);
      await groups.start();
      const group = await groups.ensure(burstable("u1"));
      expect(group).toBe(`${cgroupRoot}/kubepods/burstable/podu1`);
      expect(await tree.limits(group)).toEqual({ memoryBytes: 64 * 1024 ** 2, cpuQuotaMicros: 50_000, cpuShares: 512 });
      await groups.resize(burstable("u1", "250m", "128Mi"), "grow");
      await groups.resize(burstable("u1", "250m", "128Mi"), "shrink");
      expect(await tree.limits(group)).toEqual({
        memoryBytes: 128 * 1024 ** 2,
        cpuQuotaMicros: 25_000,
        cpuShares: 256,
      });

      const child = spawn("sleep", ["1000"], { stdio: "ignore" });
      const exited = once(child, "exit");
      for (const controller of ["memory", "pids"])
        await writeFile(join(layout.controllers.get(controller) ?? "", group, "cgroup.procs"), String(child.pid));
      expect(await groups.workingSetBytes()).toBeGreaterThanOrEqual(0);
      await groups.remove("u1");
      expect([(await exited)[1], await groups.podUids()]).toEqual(["SIGKILL", []]);
    });

    it("are limited to what the node has for pods", async () => {
      const groups = create(layout, cgroupFiles, cgroupRoot);
      await groups.start();
      expect(await tree.limits(`${cgroupRoot}/kubepods`)).toMatchObject({ memoryBytes: 2 ** 30, cpuShares: 2048 });
      expect(await tree.exists(`${cgroupRoot}/none`)).toBe(false);
    });
  },
);
