import { readdirSync, readFileSync } from "node:fs";
import { ticksPerSecond } from "./cpu-seconds.js";

/** Processor time of a process and of its children that have ended, in seconds. */
interface ProcessStat {
  readonly parent: number;
  readonly seconds: number;
}

/** Of a process and its descendants that live. */
export function treeSeconds(root: number): number {
  const stats = new Map(readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? statOf(Number(name)) : [])));
  const isIn = (pid: number | undefined): boolean =>
    pid === root || (pid !== undefined && isIn(stats.get(pid)?.parent));
  return [...stats].filter(([pid]) => isIn(pid)).reduce((sum, [, { seconds }]) => sum + seconds, 0);
}

function statOf(pid: number): [pid: number, stat: ProcessStat][] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may contain anything.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0); // its own and its ended children's
    return [[pid, { parent: Number(fields[1]), seconds: ticks / ticksPerSecond }]];
  } catch {
    return []; // it has ended meanwhile
  }
}
