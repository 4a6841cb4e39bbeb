export { runAtOnce, runSteps, type Steps } from "./steps.js";
