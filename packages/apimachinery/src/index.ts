export { hasReason, isStatusError, type Status, StatusError, type StatusReason } from "./status/index.js";
export type { Clock } from "@coxswain/runtime/clock";
