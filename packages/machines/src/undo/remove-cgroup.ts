import { readdir, readFile, rmdir } from "node:fs/promises";
import { join } from "node:path";
import type { Clock } from "@coxswain/runtime/clock";
import { sleep } from "@coxswain/runtime/wait";

/** The kernel takes a group apart a moment after its last process has ended. */
const retryMs = 20;
const tries = 500;

/**
 * Ends the processes of a control group and of all below it, and removes them. One that is not there is fine. All processes end before
 * the first group is removed: what starts others in it, such as a container runtime, is among them.
 */
export async function removeCgroup(path: string, clock: Clock): Promise<void> {
  for (let left = tries; ; left--) {
    const pids = await processesOf(path);
    for (const pid of pids) signalProcess(pid, "SIGKILL");
    if (pids.length === 0 && (await removeTree(path))) return;
    if (left === 0) throw new Error(`the control group ${path} cannot be removed: its processes do not end`);
    await sleep(retryMs, { clock });
  }
}

/** False: one of them is busy. */
async function removeTree(path: string): Promise<boolean> {
  for (const child of await childrenOf(path)) if (!(await removeTree(child))) return false;
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return true;
    if (code === "EBUSY" || code === "ENOTEMPTY") return false;
    throw error;
  }
}

/** Those of the group and of all below it. */
export async function processesOf(path: string): Promise<number[]> {
  const text = await readFile(join(path, "cgroup.procs"), "utf8").catch(() => "");
  // 0: a process of namespaces that cannot be seen from here.
  const own = text.split("\n").flatMap((line) => (line === "" || line === "0" ? [] : [Number(line)]));
  const below = await Promise.all((await childrenOf(path)).map((child) => processesOf(child)));
  return [...own, ...below.flat()];
}

async function childrenOf(path: string): Promise<string[]> {
  const entries = await readdir(path, { withFileTypes: true }).catch(() => []);
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(path, name));
}

export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has ended meanwhile
  }
}
