export { findKubectl, kubectlMinors } from "./find-kubectl.js";
export {
  type CoxswainOptions,
  type CoxswainProcess,
  ownLauncher,
  removeDataDir,
  startCoxswain,
} from "./coxswain-process.js";
export { type ProgramResult, runProgram } from "./run-program.js";

export { commands } from "./matrix/commands.js";
export { type CommandOutcome, outcomeOf, type KubectlCommand } from "./matrix/kubectl-command.js";
export { nameOf, runCommands } from "./matrix/run-commands.js";
export { makeScene, type Scene } from "./matrix/scene.js";
