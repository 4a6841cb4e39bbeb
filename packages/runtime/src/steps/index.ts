export { betweenSteps, largeBytes } from "./between-steps.js";
export { runAtOnce, runInSlices, type RunInSlicesOptions, type Steps } from "./steps.js";
