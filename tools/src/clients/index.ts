export { findKubectl, kubectlMinors } from "./find-kubectl.js";
export { type CoxswainOptions, type CoxswainProcess, removeDataDir, startCoxswain } from "./coxswain-process.js";
export { type ProgramResult, runProgram } from "./run-program.js";
