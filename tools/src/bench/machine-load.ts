import { readdirSync, readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { ticksPerSecond } from "./servers/cpu-seconds.js";

/** What the machine did besides a measurement: a figure that others disturbed is worth nothing. */
export interface MachineLoad {
  /** The load average of one minute when the bench was started. Later it is the bench's own. */
  readonly average: number;
  /** Processors that others used while the row was measured. */
  readonly others: number;
}

/** Above these a figure is not published: a load of three on two processors, and one of them taken by others. */
export const quietLimits: MachineLoad = { average: 3, others: 1 };

/** What was not recorded is not taken for quiet. */
export const isQuiet = (load: MachineLoad | undefined): boolean =>
  load !== undefined && load.average <= quietLimits.average && load.others <= quietLimits.others;

export const loadAverage = (): number => loadavg()[0] ?? 0;

/** Answers, when it is called, how many processors were used since then by processes that are not of this one's tree. */
export function watchOthers(): () => number {
  const [busy, own, began] = [busySeconds(), treeSeconds(), performance.now()];
  return () => {
    const seconds = (performance.now() - began) / 1000;
    return Math.max(0, (busySeconds() - busy - (treeSeconds() - own)) / seconds);
  };
}

/** Of all processors since the start of the machine: the first line of proc(5) `/proc/stat` without idle, iowait and guests. */
function busySeconds(): number {
  const [, user = 0, nice = 0, system = 0, , , interrupts = 0, soft = 0] = readFileSync("/proc/stat", "utf8")
    .slice(0, 500)
    .split("\n", 1)[0]!
    .split(/ +/)
    .map(Number);
  return (user + nice + system + interrupts + soft) / ticksPerSecond;
}

/** Of this process, its descendants that live, and those that have ended. */
function treeSeconds(): number {
  const stats = new Map(readdirSync("/proc").flatMap((name) => (/^\d+$/.test(name) ? statOf(Number(name)) : [])));
  const isOwn = (pid: number | undefined): boolean =>
    pid === process.pid || (pid !== undefined && isOwn(stats.get(pid)?.parent));
  return [...stats].filter(([pid]) => isOwn(pid)).reduce((sum, [, { seconds }]) => sum + seconds, 0);
}

function statOf(pid: number): [pid: number, stat: { parent: number; seconds: number }][] {
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
