import { appendFile, mkdir, readFile, rm } from "node:fs/promises";
import { dirname } from "node:path";
import type { Clock } from "@coxswain/runtime/clock";
import type { Undo } from "../steps/step.js";
import { takeBack } from "./take-back.js";

/** What has to be taken back, in a file: after a `kill -9` somebody else does it. */
export interface UndoLog {
  readonly file: string;
  /** Resolves when it is written. */
  add(undo: Undo): Promise<void>;
  /** Takes everything back, the last step first, and removes the file. Answers whether there was anything. @throws Error of the first that cannot be */
  undoAll(): Promise<boolean>;
}

interface Options {
  readonly clock: Clock;
  /** Since the machine's last start. @default that of /proc */
  bootId?(): Promise<string>;
}

export const undoLogAt = (file: string, { clock, bootId = readBootId }: Options): UndoLog => {
  let isBegun = false;
  return {
    file,
    async add(undo) {
      if (!isBegun) {
        await mkdir(dirname(file), { recursive: true });
        await appendFile(file, `${JSON.stringify({ boot: await bootId() })}\n`);
        isBegun = true;
      }
      await appendFile(file, `${JSON.stringify(undo)}\n`);
    },
    async undoAll() {
      const { undos, boot } = parseUndoLog(await readFile(file, "utf8").catch(() => ""));
      const now = await bootId();
      // Of the kernel's things nothing survives a start of the machine; one of the same name is another's.
      for (const undo of undos.reverse()) if (undo.kind === "folder" || boot === now) await takeBack(undo, clock);
      await rm(file, { force: true });
      isBegun = false;
      return undos.length > 0;
    },
  };
};

/** A line that a killed process wrote in part is the last one, and its step was not begun. */
export function parseUndoLog(text: string): { readonly undos: Undo[]; readonly boot: string | undefined } {
  const lines = text
    .split("\n")
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Undo | { readonly boot: string });
  return {
    undos: lines.filter((line): line is Undo => "kind" in line),
    boot: lines.findLast((line): line is { readonly boot: string } => "boot" in line)?.boot,
  };
}

const readBootId = async (): Promise<string> => (await readFile("/proc/sys/kernel/random/boot_id", "utf8")).trim();
