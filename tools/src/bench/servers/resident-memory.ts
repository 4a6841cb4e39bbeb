import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

interface ProcessRow {
  readonly pid: number;
  readonly bytes: number;
}

/** The processes and all their descendants. */
async function tree(pids: readonly number[]): Promise<ProcessRow[]> {
  const { stdout } = await promisify(execFile)("ps", ["-eo", "pid=,ppid=,rss="], { maxBuffer: 1 << 24 });
  const rows = stdout.trim().split("\n").map((line) => line.trim().split(/\s+/).map(Number) as [pid: number, parent: number, kib: number]);
  const counted = new Set(pids);
  // A parent may be listed after its child, so go on until nothing is added.
  for (let before = -1; before !== counted.size; ) {
    before = counted.size;
    for (const [pid, parent] of rows) if (counted.has(parent)) counted.add(pid);
  }
  return rows.filter(([pid]) => counted.has(pid)).map(([pid, , kib]) => ({ pid, bytes: kib * 1024 }));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);

/** Resident memory of processes and all their descendants, in bytes. Shared pages count once for each process. */
export const residentBytes = async (pids: readonly number[]): Promise<number> => sum((await tree(pids)).map(({ bytes }) => bytes));

/** The part of it that is theirs alone. Pages of mapped files, as those of a store, the system takes back when it needs them. Linux tells; elsewhere it is all. */
export async function anonymousBytes(pids: readonly number[]): Promise<number> {
  const ofOne = async ({ pid, bytes }: ProcessRow): Promise<number> => {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    const found = /^RssAnon:\s+(\d+) kB$/m.exec(status);
    return found ? Number(found[1]) * 1024 : bytes;
  };
  return sum(await Promise.all((await tree(pids)).map(ofOne)));
}
