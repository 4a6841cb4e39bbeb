import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { ticksPerSecond } from "./servers/cpu-seconds.js";
import { treeSeconds } from "./servers/tree-seconds.js";

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
  const [busy, own, began] = [busySeconds(), treeSeconds(process.pid), performance.now()];
  return () => {
    const seconds = (performance.now() - began) / 1000;
    return Math.max(0, (busySeconds() - busy - (treeSeconds(process.pid) - own)) / seconds);
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
