export { betweenSteps, largeBytes } from "./between-steps.js";
export { runInSlices, type RunInSlicesOptions } from "./run-in-slices.js";
export { runAtOnce, runSteps, type Steps } from "./steps.js";
