import { mkdir, readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type UndoLog, undoLogAt as undoLogOf } from "@coxswain/machines";
import { systemClock } from "@coxswain/runtime/clock";

/** A process; a later one with the same number has another time of its start. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since the machine started (proc(5), `starttime`). */
  readonly startTime: string;
}

export const undoLogAt = (file: string): UndoLog => undoLogOf(file, { clock: systemClock });

/** @param folder of the logs of all runs @param owner whose end makes them leftovers */
export async function openUndoLog(folder: string, owner: ProcessIdentity): Promise<UndoLog> {
  await mkdir(folder, { recursive: true });
  return undoLogAt(join(folder, `${owner.pid}-${owner.startTime}.jsonl`));
}

/** Cleans up after runs whose process is gone. Answers how many there were. */
export async function cleanLeftovers(
  folder: string,
  isAlive: (owner: ProcessIdentity) => Promise<boolean> = processIsAlive,
): Promise<number> {
  const files = await readdir(folder).catch(() => []);
  let cleaned = 0;
  for (const name of files) {
    const [, pid, startTime] = /^(\d+)-(\d+)\.jsonl$/.exec(name) ?? [];
    if (pid === undefined || startTime === undefined) continue;
    if (await isAlive({ pid: Number(pid), startTime })) continue;
    await undoLogAt(join(folder, name)).undoAll();
    cleaned++;
  }
  return cleaned;
}

export async function identifyProcess(pid: number | "self"): Promise<ProcessIdentity> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8");
  // The name in parentheses may hold spaces; `starttime` is the 20th field behind it.
  const startTime = text.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "0";
  return { pid: Number(text.slice(0, text.indexOf(" "))), startTime };
}

async function processIsAlive({ pid, startTime }: ProcessIdentity): Promise<boolean> {
  const found = await identifyProcess(pid).catch(() => undefined);
  return found?.startTime === startTime;
}
