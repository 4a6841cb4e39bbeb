export { describeWith, type Need } from "./describe-with.js";
