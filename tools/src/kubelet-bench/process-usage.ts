import { readFile } from "node:fs/promises";

/** The kernel's clock ticks in a second. */
const ticks = 100;

/** What a process uses: processor seconds since its start, and resident memory. */
export async function processUsage(pid: number): Promise<{ readonly seconds: number; readonly megabytes: number }> {
  // Behind the name, which may hold anything: utime is the 14th field of the line, stime the 15th.
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).split(") ")[1]?.split(" ") ?? [];
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  const kibibytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  return { seconds: (Number(fields[11]) + Number(fields[12])) / ticks, megabytes: kibibytes / 1024 };
}
