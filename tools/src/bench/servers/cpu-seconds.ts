import { readFileSync } from "node:fs";

/** Of proc(5); the same on every Linux that Node runs on. */
const ticksPerSecond = 100;

/** Processor time of processes so far, in user and system mode; those that are gone count nothing. */
export const cpuSeconds = (pids: readonly number[]): number =>
  pids.reduce((sum, pid) => sum + ticksOf(pid), 0) / ticksPerSecond;

function ticksOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name in parentheses, which may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return Number(fields[11]) + Number(fields[12]);
}
