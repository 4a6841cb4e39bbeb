import { statfs } from "node:fs/promises";
import { arch, release } from "node:os";
import { type KernelFiles, kernelFiles } from "./kernel-files.js";
import { type HugePages, type Machine, MachineError, type MachineFacts, type MachineMemory } from "./machine.js";
import {
  architectureOf,
  countProcessors,
  parseFlatKeyed,
  parseHugePageSize,
  parseMeminfo,
  parseOsImage,
  parseProcessorTime,
  parseTaskCount,
} from "./parse-proc.js";

export interface LinuxMachineOptions {
  /** Where /proc, /sys and /etc are; another one only in tests. @default "/" */
  readonly root?: string;
}

/** The machine that this process runs on. The same files as upstream's cadvisor reads (its machine/info.go). */
export function createLinuxMachine({ root = "/" }: LinuxMachineOptions = {}): Machine {
  const files = kernelFiles(root);
  return {
    facts: () => readFacts(files),
    memory: () => readMemory(files),
    async fileSystem(path) {
      const found = await statfs(path).catch((cause: unknown) => {
        throw new MachineError(`no file system at ${path}: ${(cause as Error).message}`, { cause });
      });
      return {
        capacityBytes: found.blocks * found.bsize,
        availableBytes: found.bavail * found.bsize,
        inodes: found.files,
        inodesFree: found.ffree,
      };
    },
    /** As `Stats` of pkg/kubelet/stats/pidlimit. */
    async processes() {
      const pids = (await files.readNumber("proc/sys/kernel/pid_max")) ?? Infinity;
      const max = Math.min(pids, (await files.readNumber("proc/sys/kernel/threads-max")) ?? Infinity);
      if (!Number.isFinite(max)) throw new MachineError("neither pid_max nor threads-max can be read");
      return { max, running: parseTaskCount(await files.read("proc/loadavg")) };
    },
    processorNanoseconds: async () => parseProcessorTime(await files.read("proc/stat")),
  };
}

/** Where a machine's UUID is, in the order of cadvisor's utils/sysfs. */
const uuidFiles = ["sys/class/dmi/id/product_uuid", "proc/device-tree/system-id", "proc/device-tree/vm,uuid"];

async function readFacts(files: KernelFiles): Promise<MachineFacts> {
  const memory = parseMeminfo(await files.read("proc/meminfo"));
  const machineId = (await files.readFirst(["etc/machine-id", "var/lib/dbus/machine-id"])) ?? "";
  return {
    architecture: architectureOf(arch()),
    kernelVersion: release(),
    osImage: parseOsImage((await files.readFirst(["etc/os-release", "usr/lib/os-release"])) ?? "") ?? "Linux",
    machineId,
    systemUuid: (await files.readFirst(uuidFiles)) ?? machineId,
    bootId: (await files.readFirst(["proc/sys/kernel/random/boot_id"])) ?? "",
    processors: countProcessors(await files.read("sys/devices/system/cpu/online")),
    memoryBytes: memory.get("MemTotal") ?? 0,
    swapBytes: memory.get("SwapTotal") ?? 0,
    hugePages: await readHugePages(files),
    cgroupVersion: await readCgroupVersion(files),
  };
}

const readCgroupVersion = async (files: KernelFiles): Promise<1 | 2> =>
  (await files.readFirst(["sys/fs/cgroup/cgroup.controllers"])) === undefined ? 1 : 2;

async function readHugePages(files: KernelFiles): Promise<HugePages[]> {
  const directory = "sys/kernel/mm/hugepages";
  const found: HugePages[] = [];
  for (const name of await files.list(directory)) {
    const sizeBytes = parseHugePageSize(name);
    if (sizeBytes === undefined) continue;
    found.push({ sizeBytes, count: (await files.readNumber(`${directory}/${name}/nr_hugepages`)) ?? 0 });
  }
  return found.sort((a, b) => a.sizeBytes - b.sizeBytes);
}

async function readMemory(files: KernelFiles): Promise<MachineMemory> {
  const memory = parseMeminfo(await files.read("proc/meminfo"));
  const capacityBytes = memory.get("MemTotal") ?? 0;
  const isV2 = (await readCgroupVersion(files)) === 2;
  // The root group of cgroup v2 has no usage of its own.
  const ofRootGroup = isV2 ? undefined : await files.readNumber("sys/fs/cgroup/memory/memory.usage_in_bytes");
  const usageBytes = ofRootGroup ?? capacityBytes - (memory.get("MemFree") ?? 0);
  const { file, name } = isV2
    ? { file: "sys/fs/cgroup/memory.stat", name: "inactive_file" }
    : { file: "sys/fs/cgroup/memory/memory.stat", name: "total_inactive_file" };
  const inactive = parseFlatKeyed((await files.readFirst([file])) ?? "").get(name) ?? memory.get("Inactive(file)") ?? 0;
  const workingSetBytes = Math.max(0, usageBytes - inactive);
  const availableBytes = Math.max(0, capacityBytes - workingSetBytes);
  return { capacityBytes, usageBytes, workingSetBytes, availableBytes };
}
