export { sortInSteps } from "./sort-in-steps.js";
