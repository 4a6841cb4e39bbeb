export type { Status, StatusCause, StatusDetails, StatusReason } from "./status.js";
export { hasReason, isStatusError, StatusError, type StatusFacts } from "./status-error.js";
