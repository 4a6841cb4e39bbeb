import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createLinuxMachine } from "./linux-machine.js";

const roots: string[] = [];
afterEach(async () => {
  for (const root of roots.splice(0)) await rm(root, { recursive: true });
});

async function rootWith(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), "machine-"));
  roots.push(root);
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

const meminfo = "MemTotal: 1000 kB\nMemFree: 300 kB\nInactive(file): 100 kB\nSwapTotal: 50 kB\n";
const machine = {
  "proc/meminfo": meminfo,
  "proc/sys/kernel/random/boot_id": "b-o-o-t\n",
  "sys/devices/system/cpu/online": "0-3\n",
  "etc/machine-id": "0123\n",
};

describe("a Linux machine", () => {
  it("reads its facts from /proc, /sys and /etc", async () => {
    const root = await rootWith({
      ...machine,
      "etc/os-release": 'PRETTY_NAME="Some Linux 1"\n',
      "sys/class/dmi/id/product_uuid": "u-u-i-d\n",
      "sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages": "1\n",
      "sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages": "7\n",
      "sys/fs/cgroup/cgroup.controllers": "cpu memory pids\n",
    });
    expect(await createLinuxMachine({ root }).facts()).toMatchObject({
      osImage: "Some Linux 1",
      machineId: "0123",
      systemUuid: "u-u-i-d",
      bootId: "b-o-o-t",
      processors: 4,
      memoryBytes: 1_024_000,
      swapBytes: 51_200,
      hugePages: [
        { sizeBytes: 2 ** 21, count: 7 },
        { sizeBytes: 2 ** 30, count: 1 },
      ],
      cgroupVersion: 2,
    });
  });

  it("without a UUID of the hardware, the machine ID is one; without os-release it is Linux", async () => {
    const root = await rootWith(machine);
    expect(await createLinuxMachine({ root }).facts()).toMatchObject({
      systemUuid: "0123",
      osImage: "Linux",
      cgroupVersion: 1,
    });
  });

  it("on cgroup v1 memory in use is that of the root group, without inactive files", async () => {
    const root = await rootWith({
      ...machine,
      "sys/fs/cgroup/memory/memory.usage_in_bytes": "600000\n",
      "sys/fs/cgroup/memory/memory.stat": "cache 1\ntotal_inactive_file 200000\n",
    });
    expect(await createLinuxMachine({ root }).memory()).toEqual({
      capacityBytes: 1_024_000,
      usageBytes: 600_000,
      workingSetBytes: 400_000,
      availableBytes: 624_000,
    });
  });

  it("on cgroup v2 memory in use is all that is not free", async () => {
    const root = await rootWith({
      ...machine,
      "sys/fs/cgroup/cgroup.controllers": "memory\n",
      "sys/fs/cgroup/memory.stat": "inactive_file 102400\n",
    });
    expect((await createLinuxMachine({ root }).memory()).workingSetBytes).toBe(700 * 1024 - 102_400);
  });

  it("the limit of processes is the smaller of two", async () => {
    const root = await rootWith({
      "proc/sys/kernel/pid_max": "4194304\n",
      "proc/sys/kernel/threads-max": "1000\n",
      "proc/loadavg": "0 0 0 1/42 7\n",
    });
    expect(await createLinuxMachine({ root }).processes()).toEqual({ max: 1000, running: 42 });
  });

  it("a path that is not there has no file system", async () => {
    await expect(createLinuxMachine().fileSystem("/no/such/path")).rejects.toThrow("no file system at /no/such/path");
    const { capacityBytes, availableBytes } = await createLinuxMachine().fileSystem(tmpdir());
    expect(capacityBytes).toBeGreaterThanOrEqual(availableBytes);
  });
});
