export { waitFor, type WaitForOptions } from "./wait-for.js";
export { DeadlineError } from "../deadline/index.js";
export { exists, hasCondition, isDeleted, isDeletedOrReplaced } from "./conditions.js";
