import { readdir, rm, writeFile } from "node:fs/promises";
import { runProgram } from "@coxswain/component/programs";
import type { Clock } from "@coxswain/runtime/clock";
import type { Undo } from "../steps/step.js";
import { removeCgroup } from "./remove-cgroup.js";

/** Carries out one undo; what is not there any more is fine. @throws Error for what cannot be taken back */
export async function takeBack(undo: Undo, clock: Clock): Promise<void> {
  switch (undo.kind) {
    case "cgroup":
      return removeCgroup(undo.path, clock);
    case "folder":
      return rm(undo.path, { recursive: true, force: true });
    case "link":
      if (!(await links()).includes(undo.name)) return;
      return void (await runProgram(clock, ["ip", "link", "delete", undo.name], ""));
    case "table":
      // A table that is added first can be deleted whether it was there or not.
      return void (await runProgram(clock, ["nft", "-f", "-"], `add table ${undo.name}\ndelete table ${undo.name}\n`));
    case "sysctl":
      if ((await links()).some((name) => name.startsWith(undo.unlessLink))) return;
      return writeFile(undo.path, undo.value);
  }
}

const links = (): Promise<string[]> => readdir("/sys/class/net").catch(() => []);
