import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** Resident memory of processes and all their descendants, in bytes. Shared pages count once for each process. */
export async function residentBytes(pids: readonly number[]): Promise<number> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,rss="], { maxBuffer: 1 << 24 });
  const rows = stdout
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number, kib: number]);
  const counted = new Set(pids);
  // A parent may be listed after its child, so go on until nothing is added.
  for (let before = -1; before !== counted.size; ) {
    before = counted.size;
    for (const [pid, parent] of rows) if (counted.has(parent)) counted.add(pid);
  }
  return rows.reduce((sum, [pid, , kib]) => sum + (counted.has(pid) ? kib * 1024 : 0), 0);
}
