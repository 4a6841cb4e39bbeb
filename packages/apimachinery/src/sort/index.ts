export { sort, sortInSteps } from "./sort-in-steps.js";
