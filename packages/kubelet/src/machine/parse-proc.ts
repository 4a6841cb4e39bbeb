import { MachineError } from "./machine.js";

/** Pure: bytes of /proc/meminfo by name. Lines without a unit (counts of huge pages) keep their number. */
export function parseMeminfo(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, name, digits, unit] = /^([^:\s]+):\s+(\d+)( kB)?\s*$/.exec(line) ?? [];
    if (name !== undefined) found.set(name, Number(digits) * (unit ? 1024 : 1));
  }
  return found;
}

/** Pure: `name value` lines, as of memory.stat. */
export function parseFlatKeyed(text: string): Map<string, number> {
  const found = new Map<string, number>();
  for (const line of text.split("\n")) {
    const [, name, digits] = /^(\S+) (\d+)$/.exec(line) ?? [];
    if (name !== undefined) found.set(name, Number(digits));
  }
  return found;
}

/** Pure: how many processors a list such as `0-3,8` has. @throws MachineError */
export function countProcessors(list: string): number {
  let count = 0;
  for (const part of list.trim().split(",")) {
    const [, first, last = first] = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part) ?? [];
    if (first === undefined || Number(last) < Number(first))
      throw new MachineError(`no list of processors: ${JSON.stringify(list.slice(0, 100))}`);
    count += Number(last) - Number(first) + 1;
  }
  return count;
}

/** Pure: all threads of the machine, of a line such as `1.36 3.49 4.53 2/3518 3715089` (/proc/loadavg). @throws MachineError */
export function parseTaskCount(loadavg: string): number {
  const [, total] = /^(?:\S+ ){3}\d+\/(\d+) /.exec(loadavg) ?? [];
  if (total === undefined) throw new MachineError(`error parsing fourth field of /proc/loadavg`);
  return Number(total);
}

/** Clock ticks in a second as /proc counts them: the same on every architecture. */
const ticksPerSecond = 100;

/** Pure: nanoseconds that the processors worked, of /proc/stat: all but idle, iowait, and guests, which are counted as users. */
export function parseProcessorTime(stat: string): number {
  const line = stat.split("\n").find((each) => each.startsWith("cpu ")) ?? "";
  const numbers = line.split(" ").filter((word) => /^\d+$/.test(word));
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = numbers.map(Number);
  return ((user + nice + system + irq + softirq + steal) * 1e9) / ticksPerSecond;
}

/** Pure: PRETTY_NAME of an os-release file. */
export function parseOsImage(text: string): string | undefined {
  const [, quoted, plain] = /^PRETTY_NAME=(?:"([^"]*)"|(\S+))\s*$/m.exec(text) ?? [];
  return quoted ?? plain;
}

/** Pure: the size in a name such as `hugepages-2048kB`. */
export function parseHugePageSize(directory: string): number | undefined {
  const [, kilobytes] = /^hugepages-(\d+)kB$/.exec(directory) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

/** Go's names of architectures, by Node's. */
const architectures: Readonly<Record<string, string>> = { x64: "amd64", ia32: "386", ppc64: "ppc64le" };

export const architectureOf = (nodeName: string): string => architectures[nodeName] ?? nodeName;
