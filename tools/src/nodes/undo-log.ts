import { appendFile, mkdir, readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { removeCgroup } from "./remove-cgroup.js";
import type { Undo } from "./step.js";

/** A process; a later one with the same number has another time of its start. */
export interface ProcessIdentity {
  readonly pid: number;
  /** In clock ticks since the machine started (proc(5), `starttime`). */
  readonly startTime: string;
}

/** What a run has to take back, in a file: a run that was killed is cleaned up by the next one. */
export interface UndoLog {
  /** Resolves when it is written. */
  add(undo: Undo): Promise<void>;
  /** Takes everything back, the last step first, and removes the file. */
  undoAll(): Promise<void>;
}

/** @param folder of the logs of all runs @param owner whose end makes them leftovers */
export async function openUndoLog(
  folder: string,
  owner: ProcessIdentity,
): Promise<UndoLog & { readonly file: string }> {
  await mkdir(folder, { recursive: true });
  return undoLogAt(join(folder, `${owner.pid}-${owner.startTime}.jsonl`));
}

export const undoLogAt = (file: string): UndoLog & { readonly file: string } => ({
  file,
  add: (undo) => appendFile(file, `${JSON.stringify(undo)}\n`),
  undoAll: () => undoFile(file),
});

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
    await undoFile(join(folder, name));
    cleaned++;
  }
  return cleaned;
}

async function undoFile(file: string): Promise<void> {
  for (const undo of parseUndoLog(await readFile(file, "utf8").catch(() => "")).reverse()) await takeBack(undo);
  await rm(file, { force: true });
}

/** A line that a killed run wrote in part is the last one, and its step was not begun. */
export function parseUndoLog(text: string): Undo[] {
  return text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Undo);
}

const takeBack = (undo: Undo): Promise<void> =>
  undo.kind === "cgroup" ? removeCgroup(undo.path) : rm(undo.path, { recursive: true, force: true });

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
