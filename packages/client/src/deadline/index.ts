export { DeadlineError, type DeadlineOptions, withDeadline } from "./deadline.js";
