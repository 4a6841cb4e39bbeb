import { mkdir, readFile, writeFile } from "node:fs/promises";
import { runProgram } from "../clients/index.js";
import type { Step, Undo } from "./step.js";

/** Carries out steps in their order; `beforehand` has written down how to undo one before it is done. */
export async function performSteps(
  steps: readonly Step[],
  beforehand: (undo: Undo) => Promise<void> = async () => {},
): Promise<void> {
  for (const step of steps) {
    if (step.kind === "directory" && step.undo !== undefined) await beforehand(step.undo);
    await perform(step);
  }
}

async function perform(step: Step): Promise<void> {
  switch (step.kind) {
    case "directory":
      return void (await mkdir(step.path, { recursive: true }));
    case "file":
      return writeFile(step.path, step.content, step.mode === undefined ? {} : { mode: step.mode });
    case "copy":
      return writeFile(step.to, await readFile(step.from));
    case "run": {
      const [program = "", ...args] = step.command;
      const { code, stderr } = await runProgram(program, args);
      if (code !== 0) throw new Error(`${step.command.join(" ")}: ${stderr.trim()}`);
    }
  }
}
