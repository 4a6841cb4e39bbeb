import { readdir, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

/** Ends the processes of a control group and removes it with all below it. One that is not there is fine. */
export async function removeCgroup(path: string): Promise<void> {
  for (const entry of await readdir(path, { withFileTypes: true }).catch(() => []))
    if (entry.isDirectory()) await removeCgroup(join(path, entry.name));
  // The kernel takes a group apart a moment after its last process has ended.
  for (let attempt = 0; ; attempt++) {
    for (const pid of await processesOf(path)) endProcess(pid);
    try {
      return await rmdir(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "ENOENT") return;
      if (code !== "EBUSY" || attempt === 100) throw error;
      await sleep(50);
    }
  }
}

async function processesOf(path: string): Promise<number[]> {
  const text = await readFile(join(path, "cgroup.procs"), "utf8").catch(() => "");
  return text
    .split("\n")
    .filter((line) => line !== "" && line !== "0")
    .map(Number);
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended meanwhile
  }
}
