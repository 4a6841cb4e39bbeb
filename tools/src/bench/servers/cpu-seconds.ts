import { readFileSync } from "node:fs";

/** Of proc(5); the same on every Linux that Node runs on. */
export const ticksPerSecond = 100;

/** Processor time of processes so far, in user and system mode; with `children`, also of programs that they ran to their end. */
export const cpuSeconds = (pids: readonly number[], { children = false } = {}): number =>
  pids.reduce((sum, pid) => sum + ticksOf(pid, children), 0) / ticksPerSecond;

function ticksOf(pid: number, children: boolean): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is the program's name in parentheses, which may contain anything.
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return fields.slice(11, children ? 15 : 13).reduce((sum, ticks) => sum + Number(ticks), 0);
}
