import { runProgram } from "../run-program.js";
import { type CommandOutcome, type KubectlCommand, outcomeOf } from "./kubectl-command.js";
import type { Scene } from "./scene.js";

/** Seconds until a command that hangs is ended. */
const timeoutSeconds = 240;

/** Runs the commands that this release knows, one after the other: later ones need what earlier ones made. */
export async function runCommands(options: {
  commands: readonly KubectlCommand[];
  scene: Scene;
  minor: number;
  onOutcome?: (command: KubectlCommand, outcome: CommandOutcome) => void;
}): Promise<Map<KubectlCommand, CommandOutcome>> {
  const outcomes = new Map<KubectlCommand, CommandOutcome>();
  for (const command of options.commands) {
    if ((command.since ?? 0) > options.minor) continue;
    const result = await runProgram("timeout", ["-k", "2", String(timeoutSeconds), "bash", "-c", command.run], {
      env: options.scene.env,
      cwd: options.scene.folder,
    });
    const outcome = outcomeOf(command, result);
    outcomes.set(command, outcome);
    options.onOutcome?.(command, outcome);
  }
  return outcomes;
}

export const nameOf = (command: KubectlCommand): string => command.name ?? command.run.replace(/^kubectl /, "");
