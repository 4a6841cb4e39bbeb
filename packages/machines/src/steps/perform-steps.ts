import { mkdir, readFile, writeFile } from "node:fs/promises";
import { runProgram } from "@coxswain/component/programs";
import type { Clock } from "@coxswain/runtime/clock";
import type { Step, Undo } from "./step.js";

export interface PerformOptions {
  readonly clock: Clock;
  /** Has written down how to undo a step before it is done. */
  beforehand?(undo: Undo): Promise<void>;
}

/** Carries out steps in their order. @throws Error of the first that fails */
export async function performSteps(
  steps: readonly Step[],
  { clock, beforehand = async () => {} }: PerformOptions,
): Promise<void> {
  for (const step of steps) {
    if ("undo" in step && step.undo !== undefined) await beforehand(step.undo);
    await perform(step, clock);
  }
}

async function perform(step: Step, clock: Clock): Promise<void> {
  switch (step.kind) {
    case "directory":
      return void (await mkdir(step.path, { recursive: true }));
    case "file":
      return writeFile(step.path, step.content, step.mode === undefined ? {} : { mode: step.mode });
    case "copy":
      return writeFile(step.to, await readFile(step.from));
    case "run":
      try {
        return void (await runProgram(clock, step.command, step.input ?? ""));
      } catch (error) {
        throw new Error(`${step.command.join(" ")}: ${(error as Error).message}`, { cause: error });
      }
  }
}
