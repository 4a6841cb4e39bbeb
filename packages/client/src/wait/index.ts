export { waitFor, type WaitForOptions, WaitTimeoutError } from "./wait-for.js";
export { exists, hasCondition, isDeleted, isDeletedOrReplaced } from "./conditions.js";
