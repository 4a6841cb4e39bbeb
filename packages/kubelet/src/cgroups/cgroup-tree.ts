import { join } from "node:path";
import type { Runtime } from "@coxswain/runtime";
import { sleepDuringWork } from "@coxswain/runtime/wait";
import { parseFlatKeyed } from "../machine/parse-proc.js";
import type { CgroupFiles } from "./cgroup-files.js";
import { CgroupError, type CgroupLayout } from "./cgroup-layout.js";
import type { GroupResources } from "./group-resources.js";
import { type GroupWrite, hugePageSizesOf, planWrites, sharesOfWeight } from "./plan-writes.js";

/** Control groups by their names (`/kubepods/burstable`), on either version. */
export interface CgroupTree {
  /** In all trees of the machine. */
  exists(group: string): Promise<boolean>;
  /** Makes it and those above it, ready for processes. What is there stays as it is. */
  create(group: string): Promise<void>;
  /** @throws Error of the kernel: a limit of memory below what is used, for example */
  apply(group: string, resources: GroupResources): Promise<void>;
  /** What it is limited to now. */
  limits(group: string): Promise<GroupLimits>;
  /** In use, without files that the kernel drops first. */
  workingSetBytes(group: string): Promise<number>;
  /** Names of the groups within it, in any tree. */
  children(group: string): Promise<string[]>;
  /** Kills what is in it and below, then removes it. Gone already is no error. */
  remove(group: string): Promise<void>;
}

/** Undefined: no limit. */
export interface GroupLimits {
  readonly memoryBytes: number | undefined;
  readonly cpuQuotaMicros: number | undefined;
  readonly cpuShares: number;
}

export interface CgroupTreeOptions {
  readonly layout: CgroupLayout;
  readonly files: CgroupFiles;
  readonly runtime: Runtime;
  /** In bytes. */
  readonly hugePageSizes: readonly number[];
}

/** A group stays busy for a moment after its last process was killed. Waits between tries, in milliseconds. */
const removalWaits = [10, 20, 40, 80, 160, 320, 640];
/** v1's "no limit" is the largest multiple of a page. */
const unlimitedV1 = 2 ** 62;

export function createCgroupTree({ layout, files, runtime, hugePageSizes }: CgroupTreeOptions): CgroupTree {
  const { version, controllers } = layout;
  const roots = [...new Set(controllers.values())];
  const withUnified = layout.unified === undefined ? roots : [...roots, layout.unified];
  const facts = { version, hugePageSizes: hugePageSizesOf(layout, hugePageSizes) };
  const directoryOf = (controller: string, group: string): string => {
    const root = controllers.get(controller);
    if (root === undefined) throw new CgroupError(`the machine has no cgroup controller ${controller}`);
    return join(root, group);
  };
  const numberIn = async (path: string): Promise<number | undefined> => {
    const text = (await files.read(path)).trim();
    return text === "max" ? undefined : Number(text);
  };

  async function writeAll(group: string, writes: readonly GroupWrite[]): Promise<void> {
    const late: GroupWrite[] = [];
    const writeOne = ({ controller, file, value }: GroupWrite): Promise<void> =>
      files.write(join(directoryOf(controller, group), file), value);
    for (const write of writes)
      await writeOne(write).catch((error: NodeJS.ErrnoException) => {
        // A period that does not fit the quota before fits the one that follows.
        if (error.code !== "EINVAL" || write.file !== "cpu.cfs_period_us") throw error;
        late.push(write);
      });
    for (const write of late) await writeOne(write);
  }

  return {
    async exists(group) {
      for (const root of roots)
        if (!(await files.read(join(root, group, "cgroup.procs")).then(isTrue, isFalse))) return false;
      return true;
    },
    create: (group) => createGroup(layout, files, group),
    apply: (group, resources) => writeAll(group, planWrites(resources, facts)),
    async limits(group) {
      const [memory, cpu] = [directoryOf("memory", group), directoryOf("cpu", group)];
      if (version === 2) {
        const [quota = "max"] = (await files.read(join(cpu, "cpu.max"))).trim().split(" ");
        return {
          memoryBytes: await numberIn(join(memory, "memory.max")),
          cpuQuotaMicros: quota === "max" ? undefined : Number(quota),
          cpuShares: sharesOfWeight((await numberIn(join(cpu, "cpu.weight"))) ?? 100),
        };
      }
      const [memoryBytes = 0, quota = -1] = [
        await numberIn(join(memory, "memory.limit_in_bytes")),
        await numberIn(join(cpu, "cpu.cfs_quota_us")),
      ];
      return {
        memoryBytes: memoryBytes >= unlimitedV1 ? undefined : memoryBytes,
        cpuQuotaMicros: quota < 0 ? undefined : quota,
        cpuShares: (await numberIn(join(cpu, "cpu.shares"))) ?? 0,
      };
    },
    async workingSetBytes(group) {
      const memory = directoryOf("memory", group);
      const usage = (await numberIn(join(memory, version === 1 ? "memory.usage_in_bytes" : "memory.current"))) ?? 0;
      const statistics = parseFlatKeyed(await files.read(join(memory, "memory.stat")));
      return Math.max(0, usage - (statistics.get(version === 1 ? "total_inactive_file" : "inactive_file") ?? 0));
    },
    async children(group) {
      const names = new Set<string>();
      for (const root of withUnified) for (const name of await files.children(join(root, group))) names.add(name);
      return [...names];
    },
    async remove(group) {
      for (const root of withUnified) await removeGroup(files, join(root, group), runtime);
    },
  };
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

async function createGroup({ version, controllers }: CgroupLayout, files: CgroupFiles, group: string): Promise<void> {
  const names = group.split("/").filter((name) => name !== "");
  for (const root of new Set(controllers.values())) {
    let current = root;
    for (const name of names) {
      const above = current;
      current = join(above, name);
      // Controllers are given to groups below one by one: an old kernel may lack one that others have.
      if (version === 2)
        for (const controller of controllers.keys())
          await files.write(join(above, "cgroup.subtree_control"), `+${controller}`);
      await files.makeDirectory(current);
      if (root === controllers.get("cpuset") && version === 1) await inheritProcessors(files, above, current);
    }
  }
}

/** A new cpuset of v1 is empty, and takes no process until it has processors and memory nodes. */
async function inheritProcessors(files: CgroupFiles, above: string, group: string): Promise<void> {
  for (const file of ["cpuset.cpus", "cpuset.mems"])
    if ((await files.read(join(group, file))).trim() === "")
      await files.write(join(group, file), (await files.read(join(above, file))).trim());
}

/** Depth first: a group with groups in it cannot be removed. */
async function removeGroup(files: CgroupFiles, directory: string, runtime: Runtime): Promise<void> {
  for (const name of await files.children(directory)) await removeGroup(files, join(directory, name), runtime);
  for (const waitMs of [...removalWaits, undefined]) {
    await killProcesses(files, directory);
    try {
      return await files.removeDirectory(directory);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "EBUSY" || waitMs === undefined) throw error;
      await sleepDuringWork(waitMs, { clock: runtime.ioClock });
    }
  }
}

async function killProcesses(files: CgroupFiles, directory: string): Promise<void> {
  const text = await files.read(join(directory, "cgroup.procs")).catch(() => "");
  for (const line of text.split("\n")) {
    const pid = Number(line);
    // 0 is a process of another PID namespace; as an argument of kill(2) it is everybody in our own group.
    if (Number.isInteger(pid) && pid > 1 && pid !== process.pid) files.kill(pid);
  }
}
